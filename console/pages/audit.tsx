import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { actDetails, actSentence } from '../operator/acts.ts'
import styles from '../operator/operator.module.css'
import type { Column } from '../parts/data-table.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Card, Page } from '../parts/page.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { auditQuery } from '../queries.ts'
import type { AuditEntry } from '../wire.ts'

export function AuditPage() {
  const { page = 1 } = useSearch({ from: '/signed-in/operator/audit' })
  const navigate = useNavigate()
  return (
    <Page
      title="Audit trail"
      lead="Every act of an operator, from this console and from the command line. Entries are written with the act itself and never change."
    >
      <Card title="Newest first" flush>
        <PagedList
          label="Audit trail"
          query={useQuery(auditQuery(page))}
          columns={columns}
          page={page}
          go={(to) => navigate({ to: '/operator/audit', search: { page: to } })}
          empty={<Empty title="Nothing yet">The first act of an operator appears here.</Empty>}
        />
      </Card>
    </Page>
  )
}

const columns: Column<AuditEntry>[] = [
  { header: 'When', id: 'at', cell: ({ row }) => <Moment at={row.original.at} /> },
  { header: 'Who', id: 'actor', cell: ({ row }) => row.original.actor },
  {
    header: 'What',
    id: 'action',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>{actSentence(original.action)}</div>
        <div className={styles.small}>{actDetails(original.details)}</div>
      </>
    ),
  },
  {
    header: 'Project',
    id: 'project',
    cell: ({ row }) => <div className={styles.long}>{row.original.project?.name ?? '–'}</div>,
  },
  { header: 'Target', id: 'target', cell: ({ row }) => row.original.target },
]
