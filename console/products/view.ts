import { queryText } from '../plain-search.ts'
import { readColumns } from './columns/column-names.ts'

/** The address of the list after the question mark: names and values as the API has them. */
export type ViewSearch = Record<string, string>

export type View = {
  /** Parameters that choose products, as the address gives them: what is wrong with them is for the service to say. */
  filters: [name: string, value: string][]
  /** The same as a query string. */
  filter: string
  /** All of the address after the question mark. */
  address: string
  search: string
  ordering: string
  /** As the address gives it; it may be no number. */
  page: string
  pageSize: string
  /** Undefined where the address leaves them to the reader. */
  columns: string[] | undefined
}

export const pageSizes = ['20', '50', '100', '200']
const defaultSize = '50'
const ownNames = new Set(['ordering', 'page', 'page_size', 'columns', 'view'])

/** Any parameter is kept, so that the page can tell what is wrong with it. */
export function readSearch(search: Record<string, unknown>): ViewSearch {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )
}

export function viewOf(search: ViewSearch): View {
  const filters = Object.entries(search).filter(([name]) => !ownNames.has(name))
  return {
    filters,
    filter: queryText(filters),
    address: queryText(Object.entries(search)),
    search: search['search'] ?? '',
    ordering: search['ordering'] ?? '',
    page: search['page'] ?? '1',
    pageSize: search['page_size'] ?? defaultSize,
    columns: search['columns'] === undefined ? undefined : readColumns(search['columns']),
  }
}

/** What the service is asked for to show the view. */
export function pageQuery({ filters, ordering, page, pageSize }: View): string {
  return queryText([
    ...filters,
    ...(ordering === '' ? [] : ([['ordering', ordering]] as const)),
    ['page', page],
    ['page_size', pageSize],
    ['expand', 'detail'],
  ])
}

export type ViewChange = Record<string, string | undefined>

/** The address with some parameters changed, or taken away by undefined. Other rows begin at their first page. */
export function changedSearch(search: ViewSearch, change: ViewChange): ViewSearch {
  const { page: _page, ...others } = search
  const kept = Object.keys(change).every((name) => name === 'columns' || name === 'page') ? search : others
  return Object.fromEntries(
    Object.entries({ ...kept, ...change }).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && entry[1] !== '' && !isDefault(entry[0], entry[1]),
    ),
  )
}

function isDefault(name: string, value: string): boolean {
  return (name === 'page' && value === '1') || (name === 'page_size' && value === defaultSize)
}

/** The address of the view without any filter; it is no saved one then. */
export function clearedSearch(search: ViewSearch): ViewSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name]) => ownNames.has(name) && name !== 'page' && name !== 'view'),
  )
}
