import { Drawer, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation, useMatch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import mark from '../mark.svg'
import { Icon } from '../parts/icons.tsx'
import { useSession } from '../session.ts'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { OperatorNavigation, ProjectNavigation } from './navigation.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

/** Navigation beside the page; below 900 px it moves into a drawer. */
export function AppShell() {
  const [opened, drawer] = useDisclosure(false)
  const main = useFocusOnNewPage(drawer.close)
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <section aria-label="Console" className={styles.bar}>
        <UnstyledButton onClick={drawer.open} aria-label="Open navigation" className={styles.burger}>
          <Icon name="menu" size={22} />
        </UnstyledButton>
        <Brand />
      </section>
      <section aria-label="Console" className={styles.side}>
        <div className={styles.sideContent}>
          <Brand />
          <SideContent switchName="scheme-side" />
        </div>
      </section>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        title={<Brand />}
        size={300}
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <div className={styles.drawer}>
          <SideContent switchName="scheme-drawer" />
        </div>
      </Drawer>
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}

/** A new page is announced and read from its beginning, as after a full load. */
function useFocusOnNewPage(arrived: () => void) {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    arrived()
    main.current?.focus({ preventScroll: true })
  }, [pathname, arrived])
  return main
}

function Brand() {
  return (
    <Link to="/" className={styles.brand}>
      <img src={mark} alt="" width={26} height={26} />
      Catalog Service
    </Link>
  )
}

function SideContent({ switchName }: { switchName: string }) {
  const { user, projects } = useSession()
  const matched = useMatch({ from: '/signed-in/projects/$projectId', shouldThrow: false })?.params.projectId
  const [last, setLast] = useState(matched)
  if (matched !== undefined && matched !== last) setLast(matched)
  const fallback = user.operator ? undefined : projects[0]
  const current = projects.find(({ id }) => id === (matched ?? last)) ?? fallback
  return (
    <>
      <ProjectSwitcher projects={projects} current={current} />
      {current !== undefined && <ProjectNavigation project={current} />}
      {user.operator && <OperatorNavigation />}
      <div className={styles.foot}>
        <ColorSchemeSwitch name={switchName} />
        <UserMenu user={user} />
      </div>
    </>
  )
}
