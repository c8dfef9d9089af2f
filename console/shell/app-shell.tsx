import { Link, Outlet, useLocation, useMatch } from '@tanstack/react-router'
import { useState } from 'react'
import mark from '../mark.svg'
import { useSession } from '../session.ts'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { Frame } from './frame.tsx'
import { OperatorNavigation, ProjectNavigation } from './navigation.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

/** The frame of every page behind the sign-in. */
export function AppShell() {
  const { pathname } = useLocation()
  return (
    <Frame
      label="Console"
      brand={<Brand />}
      side={(copy) => <SideContent switchName={`scheme-${copy}`} />}
      place={pathname}
    >
      <Outlet />
    </Frame>
  )
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
