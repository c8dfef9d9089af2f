import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import mark from '../mark.svg'
import { Bell, NotificationAnnouncer } from '../notifications/bell.tsx'
import { PictureSource } from '../parts/pictures/picture-source.ts'
import { openProjectQuery } from '../queries.ts'
import { lazyPart, loadPagesWhenIdle } from '../routes/lazy-page.ts'
import { useSession } from '../session.ts'
import type { SessionProject } from '../wire.ts'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { Frame } from './frame.tsx'
import { JumpButton, JumpIcon } from './jump-button.tsx'
import { AdminNavigation, ProjectNavigation } from './navigation.tsx'
import { Overlays } from './overlays.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import styles from './shell.module.css'
import { strings } from './strings.ts'
import { UserMenu } from './user-menu.tsx'

const ResetNotice = lazy(
  lazyPart(async () => ({ default: (await import('./reset-notice.tsx')).ResetNotice })),
)

/** The frame of every page that requires a sign-in. */
export function AppShell() {
  const { pathname } = useLocation()
  useEffect(loadPagesWhenIdle, [])
  const current = useCurrentProject()
  const { user } = useSession()
  const where = pathname.startsWith('/operator') ? strings.frame.admin : current?.name
  return (
    <PictureSource value={current}>
      <Overlays project={current}>
        <NotificationAnnouncer />
        <Frame
          label={strings.frame.console}
          brand={<Brand />}
          where={where}
          side={(copy) => <SideContent current={current} copy={copy} />}
          tool={
            <>
              <Bell />
              <JumpIcon />
            </>
          }
          path={pathname}
        >
          <Suspense>{user.second_factor_reset_at !== null && <ResetNotice />}</Suspense>
          <Outlet />
        </Frame>
      </Overlays>
    </PictureSource>
  )
}

function Brand() {
  return (
    <Link to="/" className={styles.brand}>
      <img src={mark} alt="" width={26} height={26} />
      {strings.product}
    </Link>
  )
}

/** The project of the page, or the last open project. */
function useCurrentProject(): SessionProject | undefined {
  const { user, projects, project_count } = useSession()
  const matched = useMatch({ from: '/signed-in/projects/$projectId', shouldThrow: false })?.params.projectId
  const [last, setLast] = useState(matched)
  if (matched !== undefined && matched !== last) setLast(matched)
  const id = matched ?? last
  const known = projects.find((project) => project.id === id)
  const asked = useQuery({
    ...openProjectQuery(id ?? 0),
    enabled: id !== undefined && id > 0 && known === undefined && projects.length < project_count,
  })
  return known ?? asked.data ?? (user.operator ? undefined : projects[0])
}

type SideProps = { current: SessionProject | undefined; copy: 'side' | 'drawer' }

function SideContent({ current, copy }: SideProps) {
  const { user } = useSession()
  return (
    <>
      {copy === 'side' && (
        <div className={styles.top}>
          <JumpButton />
          <Bell />
        </div>
      )}
      <ProjectSwitcher current={current} />
      {current !== undefined && <ProjectNavigation project={current} />}
      {user.operator && <AdminNavigation />}
      <div className={styles.foot}>
        <ColorSchemeSwitch name={`scheme-${copy}`} />
        <UserMenu user={user} />
      </div>
    </>
  )
}
