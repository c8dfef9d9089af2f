import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon, type IconName } from '../parts/icons.tsx'
import { numberText } from '../parts/number-text.ts'
import { openProposalsQuery } from '../proposals/queries.ts'
import { accessRequestsQuery } from '../queries.ts'
import type { SessionProject } from '../wire.ts'
import styles from './shell.module.css'

type Entry = { label: string; icon: IconName; link: LinkProps; exact?: boolean; count?: number | undefined }

const importEntry = (params: { projectId: number }): Entry => ({
  label: 'Import',
  icon: 'upload',
  link: { to: '/projects/$projectId/import', params },
})

/** A new screen of a project gets its entry here. */
const projectEntries = (project: SessionProject, openProposals: number | undefined): Entry[] => {
  const params = { projectId: project.id }
  return [
    { label: 'Overview', icon: 'overview', link: { to: '/projects/$projectId', params }, exact: true },
    { label: 'Products', icon: 'tag', link: { to: '/projects/$projectId/products', params } },
    { label: 'Categories', icon: 'tree', link: { to: '/projects/$projectId/categories', params } },
    {
      label: 'Attributes and rules',
      icon: 'ruler',
      link: { to: '/projects/$projectId/attributes', params },
    },
    {
      label: 'Proposals',
      icon: 'proposal',
      link: { to: '/projects/$projectId/proposals', params },
      count: openProposals,
    },
    { label: 'Prompts', icon: 'prompt', link: { to: '/projects/$projectId/prompts', params } },
    ...(project.role === 'viewer' ? [] : [importEntry(params)]),
    { label: 'API access', icon: 'key', link: { to: '/projects/$projectId/settings/api-access', params } },
  ]
}

const operatorEntries = (openRequests: number | undefined): Entry[] => [
  { label: 'Access requests', icon: 'inbox', link: { to: '/operator/access-requests' }, count: openRequests },
  { label: 'Projects', icon: 'box', link: { to: '/operator/projects' } },
  { label: 'Users', icon: 'people', link: { to: '/operator/users' } },
  { label: 'Audit trail', icon: 'trail', link: { to: '/operator/audit' } },
]

export function ProjectNavigation({ project }: { project: SessionProject }) {
  const open = useQuery({ ...openProposalsQuery(project.id), refetchInterval: 60_000 })
  return <Entries label={project.name} heading="Project" entries={projectEntries(project, open.data)} />
}

export function OperatorNavigation() {
  const open = useQuery({ ...accessRequestsQuery('open', 1), refetchInterval: 60_000 })
  return <Entries label="Operator" heading="Operator" entries={operatorEntries(open.data?.count)} />
}

function Entries({ label, heading, entries }: { label: string; heading: string; entries: Entry[] }) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <p className={styles.navHeading} aria-hidden="true">
        {heading}
      </p>
      <ul>
        {entries.map(({ label, icon, link, exact = false, count = 0 }) => (
          <li key={label}>
            <Link {...link} activeOptions={{ exact, includeSearch: false }} className={styles.navLink}>
              <span className={styles.navIcon}>
                <Icon name={icon} />
              </span>
              <span>{label}</span>
              {count > 0 && (
                <span className={styles.navCount}>
                  {numberText(count)}
                  <span className="unseen"> open</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
