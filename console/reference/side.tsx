import { NativeSelect } from '@mantine/core'
import { Icon, type IconName } from '../parts/icons.tsx'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import shell from '../shell/shell.module.css'
import styles from './navigation.module.css'
import { Navigation } from './navigation.tsx'
import { useDocument, useReference } from './reference-context.ts'
import type { Route } from './route.ts'
import { strings } from './strings.ts'

export function Side({ route }: { route: Route }) {
  return (
    <>
      <ServerChoice />
      <Navigation route={route} />
    </>
  )
}

/** The service has the same operations under several base paths. */
function ServerChoice() {
  const document = useDocument()
  const { server, chooseServer } = useReference()
  const servers = document.servers ?? []
  if (servers.length < 2) return null
  return (
    <NativeSelect
      label={strings.side.server}
      value={server?.url ?? ''}
      onChange={(event) => chooseServer(event.currentTarget.value)}
      data={servers.map(({ url, description }) => ({
        value: url,
        label: description === undefined ? url : strings.side.serverChoice(url, description),
      }))}
    />
  )
}

const links: { href: string; label: string; icon: IconName }[] = [
  { href: '/', label: strings.side.console, icon: 'leave' },
  { href: '/openapi.json', label: strings.side.document, icon: 'book' },
]

/** Links out of the reference, and the theme switch. */
export function SideFoot({ copy }: { copy: string }) {
  return (
    <div className={shell.foot}>
      <ul className={styles.links}>
        {links.map(({ href, label, icon }) => (
          <li key={href}>
            <a href={href} className={shell.navLink}>
              <span className={shell.navIcon}>
                <Icon name={icon} size={16} />
              </span>
              {label}
            </a>
          </li>
        ))}
      </ul>
      <ColorSchemeSwitch name={`scheme-${copy}`} />
    </div>
  )
}
