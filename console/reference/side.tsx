import { NativeSelect } from '@mantine/core'
import { Icon, type IconName } from '../parts/icons.tsx'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import shell from '../shell/shell.module.css'
import styles from './navigation.module.css'
import { Navigation } from './navigation.tsx'
import { useDocument, useReference } from './reference-context.ts'
import type { Route } from './route.ts'

/** What stands beside the page. */
export function Side({ place }: { place: Route }) {
  return (
    <>
      <ServerChoice />
      <Navigation place={place} />
    </>
  )
}

/** The same operations are served under more than one prefix. */
function ServerChoice() {
  const document = useDocument()
  const { server, chooseServer } = useReference()
  const servers = document.servers ?? []
  if (servers.length < 2) return null
  return (
    <NativeSelect
      label="Addresses begin with"
      value={server?.url ?? ''}
      onChange={(event) => chooseServer(event.currentTarget.value)}
      data={servers.map(({ url, description }) => ({
        value: url,
        label: description === undefined ? url : `${url} – ${description}`,
      }))}
    />
  )
}

const ways: { href: string; label: string; icon: IconName }[] = [
  { href: '/', label: 'Back to the console', icon: 'leave' },
  { href: '/openapi.json', label: 'openapi.json', icon: 'book' },
]

/** The ways out, and the colours. */
export function SideFoot({ copy }: { copy: string }) {
  return (
    <div className={shell.foot}>
      <ul className={styles.ways}>
        {ways.map(({ href, label, icon }) => (
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
