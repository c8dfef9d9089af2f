import type { UseQueryResult } from '@tanstack/react-query'
import type { TokensView } from '../operator/lists.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { pageSize } from '../queries.ts'
import type { Page, Token } from '../wire.ts'

const states = [
  { value: '', label: 'All tokens' },
  { value: 'valid', label: 'Accepted' },
  { value: 'ended', label: 'Revoked or expired' },
]

type Props = {
  query: UseQueryResult<Page<Token>>
  columns: Column<Token>[]
  view: TokensView
  go: (view: TokensView, replace?: boolean) => void
  /** How the first one comes about. */
  empty: string
}

/** The tokens of a project, page by page; where there are few of them there is nothing to search. */
export function TokenList({ query, columns, view, go, empty }: Props) {
  const { page = 1, ...filters } = view
  const { search = '', state } = filters
  const isFiltered = search !== '' || state !== undefined
  return (
    <>
      {(isFiltered || page > 1 || (query.data?.count ?? 0) > pageSize) && (
        <ListFilters
          label="Search tokens by name"
          search={search}
          find={(text, isFirst) =>
            go({ ...(state && { state }), ...(text !== '' && { search: text }) }, !isFirst)
          }
          choices={[
            {
              label: 'State of the tokens',
              value: state ?? '',
              data: states,
              choose: (next) =>
                go({
                  ...(search !== '' && { search }),
                  ...(next !== '' && { state: next as 'valid' | 'ended' }),
                }),
            },
          ]}
        />
      )}
      <PagedList
        label="Tokens"
        query={query}
        columns={columns}
        page={page}
        go={(to) => go({ ...filters, page: to })}
        empty={
          isFiltered ? (
            <Empty title="No such token">Search for fewer words, or choose all tokens.</Empty>
          ) : (
            <Empty title="No tokens yet">{empty}</Empty>
          )
        }
      />
    </>
  )
}
