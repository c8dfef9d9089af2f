import { queryText } from '../plain-search.ts'
import { readColumns } from './columns/column-names.ts'

/** The query parameters of the list, with the names and values of the API. */
export type ViewSearch = Record<string, string>

export type View = {
  /** Filter parameters as given in the URL. The service validates them. */
  filters: [name: string, value: string][]
  /** The same as a query string. */
  filter: string
  /** The whole query string. */
  address: string
  search: string
  /** Whether the search includes similar spellings. */
  isClose: boolean
  /** As given in the URL. */
  ordering: string
  /** The order of the rows: a search is sorted by relevance, unless the user chose another order. */
  order: string
  /** As given in the URL, possibly not a number. */
  page: string
  pageSize: string
  /** Undefined if the URL names no columns. */
  columns: string[] | undefined
  /** The edit mode, with the chosen columns or with all attributes. It edits the base. */
  edit: 'chosen' | 'all' | undefined
  /** The language or market in which the list shows products; undefined is the base. */
  market: string | undefined
}

export const pageSizes = ['20', '50', '100', '200']
/** In edit mode, only visible rows are rendered. */
export const editPageSizes = [...pageSizes, '500']
const defaultSize = '50'
const viewParameters = new Set(['ordering', 'page', 'page_size', 'columns', 'view', 'edit', 'market'])

/** Keeps unknown parameters, so that the page can report them. */
export function readSearch(search: Record<string, unknown>): ViewSearch {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )
}

/** The service ranks searches of up to 16 words. */
const maxRankedWords = 16

export const byRelevance = 'relevance'
export const newestFirst = '-id'

/** The order of the list: the chosen one, else the best matches of a search, else the newest products. */
export function orderOf(search: string, ordering: string): string {
  if (ordering !== '') return ordering
  return isRanked(search) ? byRelevance : newestFirst
}

function isRanked(search: string): boolean {
  const words = search.split(/\s+/).filter(Boolean).length
  return words > 0 && words <= maxRankedWords
}

export function viewOf(search: ViewSearch): View {
  const filters = Object.entries(search).filter(([name]) => !viewParameters.has(name))
  const { search: text = '', ordering = '' } = search
  return {
    filters,
    filter: queryText(filters),
    address: queryText(Object.entries(search)),
    search: text,
    isClose: search['match'] === 'close',
    ordering,
    order: orderOf(text, ordering),
    page: search['page'] ?? '1',
    pageSize: search['page_size'] ?? defaultSize,
    columns: search['columns'] === undefined ? undefined : readColumns(search['columns']),
    edit: search['edit'] === undefined ? undefined : search['edit'] === 'all' ? 'all' : 'chosen',
    market: search['market'],
  }
}

/** The request's query string for the view. */
export function pageQuery({ filters, search, order, page, pageSize }: View): string {
  return queryText([
    ...filters,
    ['ordering', order],
    ['page', page],
    ['page_size', pageSize],
    ['expand', isRanked(search) ? 'detail,match' : 'detail'],
  ])
}

const keepsRows = new Set(['columns', 'page', 'edit'])

export type ViewChange = Record<string, string | undefined>

/** The parameters with changes applied; undefined removes one. Other rows start at the first page. */
export function changedSearch(search: ViewSearch, change: ViewChange): ViewSearch {
  const { page: _page, ...others } = search
  const kept = Object.keys(change).every((name) => keepsRows.has(name)) ? search : others
  const changed = Object.entries({ ...kept, ...change }).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[1] !== '' && !isDefault(entry[0], entry[1]),
  )
  return withoutRanking(Object.fromEntries(changed))
}

/** What refines a search has no meaning without one. */
function withoutRanking(search: ViewSearch): ViewSearch {
  if (search['search'] !== undefined) return search
  const { match: _match, ordering, ...others } = search
  return ordering === undefined || ordering === byRelevance ? others : { ...others, ordering }
}

function isDefault(name: string, value: string): boolean {
  return (name === 'page' && value === '1') || (name === 'page_size' && value === defaultSize)
}

/** The view without filters, which is no longer a saved view. */
export function clearedSearch(search: ViewSearch): ViewSearch {
  return withoutRanking(
    Object.fromEntries(
      Object.entries(search).filter(
        ([name]) => viewParameters.has(name) && name !== 'page' && name !== 'view',
      ),
    ),
  )
}
