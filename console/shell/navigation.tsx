import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/format/number-text.ts'
import { Icon } from '../parts/icons.tsx'
import { openProposalsQuery } from '../proposals/queries.ts'
import { accessRequestsQuery, troubledWebhooksQuery } from '../queries.ts'
import type { SessionProject } from '../wire.ts'
import { adminEntries, type Entry, projectEntries } from './entries.ts'
import styles from './shell.module.css'
import { strings } from './strings.ts'

export function ProjectNavigation({ project }: { project: SessionProject }) {
  const open = useQuery({ ...openProposalsQuery(project.id), refetchInterval: 60_000 })
  return (
    <Entries
      label={project.name}
      heading={strings.navigation.project}
      entries={projectEntries(project, open.data?.count)}
    />
  )
}

export function AdminNavigation() {
  const open = useQuery({ ...accessRequestsQuery('open', 1), refetchInterval: 60_000 })
  const troubled = useQuery({ ...troubledWebhooksQuery({}), refetchInterval: 60_000 })
  const entries = adminEntries(open.data?.count, troubled.data?.count)
  return <Entries label={strings.navigation.admin} heading={strings.navigation.admin} entries={entries} />
}

function Entries({ label, heading, entries }: { label: string; heading: string; entries: Entry[] }) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <p className={styles.navHeading} aria-hidden="true">
        {heading}
      </p>
      <ul>
        {entries.map(({ label, icon, link, exact = false, count = 0, counted = strings.navigation.open }) => (
          <li key={label}>
            <Link {...link} activeOptions={{ exact, includeSearch: false }} className={styles.navLink}>
              <span className={styles.navIcon}>
                <Icon name={icon} />
              </span>
              <span>{label}</span>
              {count > 0 && (
                <span className={styles.navCount}>
                  {numberText(count)}
                  <span className="unseen"> {counted}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
