import type { UseQueryResult } from '@tanstack/react-query'
import type { TokensView } from '../operator/lists.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { pageSize } from '../queries.ts'
import type { Page, Token } from '../wire.ts'
import { strings } from './strings.ts'

const states = [
  { value: '', label: strings.list.states.all },
  { value: 'valid', label: strings.list.states.valid },
  { value: 'ended', label: strings.list.states.ended },
]

type Props = {
  query: UseQueryResult<Page<Token>>
  columns: Column<Token>[]
  view: TokensView
  go: (view: TokensView, replace?: boolean) => void
  /** How to create the first token. */
  empty: string
}

/** A paged token list. The search appears only if there is more than one page. */
export function TokenList({ query, columns, view, go, empty }: Props) {
  const { page = 1, ...filters } = view
  const { search = '', state } = filters
  const isFiltered = search !== '' || state !== undefined
  return (
    <>
      {(isFiltered || page > 1 || (query.data?.count ?? 0) > pageSize) && (
        <ListFilters
          label={strings.list.search}
          search={search}
          find={(text, isFirst) =>
            go({ ...(state && { state }), ...(text !== '' && { search: text }) }, !isFirst)
          }
          choices={[
            {
              label: strings.list.state,
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
        label={strings.list.label}
        query={query}
        columns={columns}
        page={page}
        go={(to) => go({ ...filters, page: to })}
        empty={
          isFiltered ? (
            <Empty title={strings.list.noMatch}>{strings.list.noMatchHint}</Empty>
          ) : (
            <Empty title={strings.list.empty}>{empty}</Empty>
          )
        }
      />
    </>
  )
}
