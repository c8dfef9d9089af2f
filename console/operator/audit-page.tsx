import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { detailsOf } from '../audit/sentence.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { auditQuery } from '../queries.ts'
import type { AuditEntry } from '../wire.ts'
import { strings } from './audit-strings.ts'
import { AuditProject, AuditTarget } from './audit-target.tsx'
import { type AuditNoun, type AuditView, choicesOf } from './lists.ts'

export function AuditPage() {
  const view = useSearch({ from: '/signed-in/operator/audit' })
  const navigate = useNavigate()
  const go = (search: AuditView, replace = false) => navigate({ to: '/operator/audit', search, replace })
  const { page = 1, ...filters } = view
  const { search = '', noun, ...rest } = filters
  return (
    <Page title={strings.audit.title} lead={strings.audit.lead}>
      <Card label={strings.audit.label} flush>
        <ListFilters
          label={strings.audit.search}
          search={search}
          find={(text, isFirst) =>
            go({ ...rest, ...(noun && { noun }), ...(text !== '' && { search: text }) }, !isFirst)
          }
          choices={[
            {
              label: strings.audit.noun,
              value: noun ?? '',
              data: choicesOf(strings.audit.nouns, strings.audit.allNouns),
              choose: (next) =>
                go({
                  ...rest,
                  ...(search !== '' && { search }),
                  ...(next !== '' && { noun: next as AuditNoun }),
                }),
            },
          ]}
        />
        <PagedList
          label={strings.audit.title}
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
  if (isFiltered) return <Empty title={strings.audit.noMatch}>{strings.audit.noMatchHint}</Empty>
  return <Empty title={strings.audit.empty}>{strings.audit.emptyHint}</Empty>
}

const columns: Column<AuditEntry>[] = [
  {
    header: strings.audit.columns.action,
    id: 'action',
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.name}>
          <bdi>
            <AuditTarget entry={original} />
          </bdi>
        </div>
        <div className={cells.small}>
          <bdi>{detailsOf(original)}</bdi>
        </div>
      </>
    ),
  },
  { header: strings.audit.columns.at, id: 'at', cell: ({ row }) => <RelativeTime at={row.original.at} /> },
  { header: strings.audit.columns.actor, id: 'actor', cell: ({ row }) => <bdi>{row.original.actor}</bdi> },
  {
    header: strings.audit.columns.project,
    id: 'project',
    cell: ({ row: { original } }) => <AuditProject entry={original} />,
  },
]
