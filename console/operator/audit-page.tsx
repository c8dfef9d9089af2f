import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Column } from '../parts/lists/data-table.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { auditQuery } from '../queries.ts'
import type { AuditEntry } from '../wire.ts'
import { actionText, detailsText } from './actions.ts'
import { type AuditView, auditNouns, choicesOf } from './lists.ts'
import styles from './operator.module.css'

export function AuditPage() {
  const view = useSearch({ from: '/signed-in/operator/audit' })
  const navigate = useNavigate()
  const go = (search: AuditView, replace = false) => navigate({ to: '/operator/audit', search, replace })
  const { page = 1, ...filters } = view
  const { search = '', noun, ...rest } = filters
  return (
    <Page
      title="Audit trail"
      lead="Every act of an operator, from this console and from the command line, newest first. Entries are written with the act itself and never change."
    >
      <Card label="Acts" flush>
        <ListFilters
          label="Search by who, what or project"
          search={search}
          find={(text, isFirst) =>
            go({ ...rest, ...(noun && { noun }), ...(text !== '' && { search: text }) }, !isFirst)
          }
          choices={[
            {
              label: 'What was acted on',
              value: noun ?? '',
              data: choicesOf(auditNouns, 'All acts'),
              choose: (next) =>
                go({
                  ...rest,
                  ...(search !== '' && { search }),
                  ...(next !== '' && { noun: next as keyof typeof auditNouns }),
                }),
            },
          ]}
        />
        <PagedList
          label="Audit trail"
          query={useQuery(auditQuery(view))}
          columns={columns}
          page={page}
          go={(to) => go({ ...filters, page: to })}
          empty={<Nothing isFiltered={Object.keys(filters).length > 0} />}
        />
      </Card>
    </Page>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No such act">Search for fewer words, or choose all acts.</Empty>
  return <Empty title="Nothing yet">The first act of an operator appears here.</Empty>
}

const columns: Column<AuditEntry>[] = [
  {
    header: 'What',
    id: 'action',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>{actionText(original.action)}</div>
        <div className={styles.small}>
          <bdi>{detailsText(original.details)}</bdi>
        </div>
      </>
    ),
  },
  { header: 'When', id: 'at', cell: ({ row }) => <Moment at={row.original.at} /> },
  { header: 'Who', id: 'actor', cell: ({ row }) => <bdi>{row.original.actor}</bdi> },
  {
    header: 'Project',
    id: 'project',
    cell: ({ row }) => (
      <div className={styles.long}>
        <bdi>{row.original.project?.name ?? '–'}</bdi>
      </div>
    ),
  },
  { header: 'Target', id: 'target', cell: ({ row }) => row.original.target },
]
