import { Button } from '@mantine/core'
import { RequestStateTag } from '../parts/badges.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { Moment } from '../parts/words/moment.tsx'
import type { AccessRequest } from '../wire.ts'
import styles from './operator.module.css'

export type Decision = { kind: 'approve' | 'decline'; request: AccessRequest }

export const requestColumns = (decide: (decision: Decision) => void): Column<AccessRequest>[] => [
  {
    header: 'Project',
    id: 'project',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>
          <bdi>{original.project.name}</bdi>
        </div>
        <div className={styles.small}>
          <Moment at={original.created_at} />
        </div>
      </>
    ),
  },
  {
    header: 'Asked by',
    id: 'by',
    cell: ({ row: { original } }) => (
      <>
        <div>
          <bdi>{original.name}</bdi>
        </div>
        <div className={styles.small}>{original.email}</div>
      </>
    ),
  },
  {
    header: 'What for',
    id: 'purpose',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.purpose}>{original.purpose}</div>
        {original.reason !== null && <div className={styles.small}>Declined: {original.reason}</div>}
      </>
    ),
  },
  {
    header: 'State',
    id: 'state',
    cell: ({ row: { original } }) =>
      original.state === 'open' ? (
        <div className={styles.buttons}>
          <Button size="xs" onClick={() => decide({ kind: 'approve', request: original })}>
            Approve<span className="unseen"> {original.project.name}</span>
          </Button>
          <Button size="xs" variant="default" onClick={() => decide({ kind: 'decline', request: original })}>
            Decline<span className="unseen"> {original.project.name}</span>
          </Button>
        </div>
      ) : (
        <>
          <RequestStateTag state={original.state} />
          <div className={styles.small}>
            {original.decided_at !== null && <Moment at={original.decided_at} />}
            {original.decided_by !== null && `, ${original.decided_by}`}
          </div>
        </>
      ),
  },
]
