import { Button } from '@mantine/core'
import { RequestStateTag } from '../parts/badges.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import type { AccessRequest } from '../wire.ts'
import { strings } from './access-request-strings.ts'
import styles from './operator.module.css'

export type Decision = { kind: 'approve' | 'decline'; request: AccessRequest }

export const requestColumns = (decide: (decision: Decision) => void): Column<AccessRequest>[] => [
  {
    header: strings.requests.columns.project,
    id: 'project',
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.name}>
          <bdi>{original.project.name}</bdi>
        </div>
        <div className={cells.small}>
          {strings.requests.requested} <RelativeTime at={original.created_at} />
        </div>
      </>
    ),
  },
  {
    header: strings.requests.columns.by,
    id: 'by',
    cell: ({ row: { original } }) => (
      <>
        <div>
          <bdi>{original.name}</bdi>
        </div>
        <div className={cells.small}>{original.email}</div>
      </>
    ),
  },
  {
    header: strings.requests.columns.purpose,
    id: 'purpose',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.purpose}>{original.purpose}</div>
        {original.reason !== null && (
          <div className={cells.small}>{strings.requests.declinedBecause(original.reason)}</div>
        )}
      </>
    ),
  },
  {
    header: strings.requests.columns.state,
    id: 'state',
    cell: ({ row: { original } }) => (
      <>
        <RequestStateTag state={original.state} />
        {original.decided_at !== null && (
          <div className={cells.small}>
            <RelativeTime at={original.decided_at} />
            {original.decided_by !== null && `, ${original.decided_by}`}
          </div>
        )}
      </>
    ),
  },
  {
    header: strings.requests.columns.actions,
    id: 'actions',
    cell: ({ row: { original } }) =>
      original.state === 'open' ? (
        <div className={cells.buttons}>
          <Button size="xs" onClick={() => decide({ kind: 'approve', request: original })}>
            {strings.requests.approve}
            <span className="unseen"> {original.project.name}</span>
          </Button>
          <Button size="xs" variant="default" onClick={() => decide({ kind: 'decline', request: original })}>
            {strings.requests.decline}
            <span className="unseen"> {original.project.name}</span>
          </Button>
        </div>
      ) : null,
  },
]
