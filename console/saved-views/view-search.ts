import { parseSearch, queryText } from '../plain-search.ts'
import { writeColumns } from '../products/columns/column-names.ts'
import { readSearch, type ViewSearch, viewOf } from '../products/view.ts'
import type { SavedView } from '../wire.ts'

/** What a view keeps of an address: all but the page, and which view the reader came from. */
function storedPairs(search: ViewSearch): [string, string][] {
  return Object.entries(search).filter(([name]) => name !== 'page' && name !== 'view')
}

/** The address as a view keeps it, with the columns that are shown: another browser may show others. */
export function storedQuery(search: ViewSearch, columns: readonly string[]): string {
  return queryText(storedPairs({ ...search, columns: writeColumns(columns) }))
}

/** The address of the list that shows a saved view. */
export function searchOf({ id, query }: Pick<SavedView, 'id' | 'query'>): ViewSearch {
  return { ...readSearch(parseSearch(query)), view: String(id) }
}

/** What chooses the products of a saved view. */
export function filterOf({ query }: SavedView): string {
  return viewOf(readSearch(parseSearch(query))).filter
}

/** Whether the address shows what the view keeps, in whatever order it says it. */
function isShown({ query }: SavedView, search: ViewSearch): boolean {
  const text = (one: ViewSearch) => queryText(storedPairs(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  return text(readSearch(parseSearch(query))) === text(search)
}

export type Current = { view: SavedView; isChanged: boolean }

/** The view that the address names, or one that shows just the same. */
export function currentView(views: readonly SavedView[], search: ViewSearch): Current | undefined {
  const named = views.find(({ id }) => String(id) === search['view'])
  const shown = named ?? views.find((view) => isShown(view, search))
  return shown && { view: shown, isChanged: !isShown(shown, search) }
}
