import { parseSearch, queryText } from '../plain-search.ts'
import { writeColumns } from '../products/columns/column-names.ts'
import { readSearch, type ViewSearch, viewOf } from '../products/view.ts'
import type { SavedView } from '../wire.ts'

const notStored = new Set(['page', 'view', 'edit'])

/** The parameters that a view stores: all except the page, the edit mode and the view itself. */
function storedPairs(search: ViewSearch): [string, string][] {
  return Object.entries(search).filter(([name]) => !notStored.has(name))
}

/** The stored query string. Includes the visible columns, because another browser can have other defaults. */
export function storedQuery(search: ViewSearch, columns: readonly string[]): string {
  return queryText(storedPairs({ ...search, columns: writeColumns(columns) }))
}

/** The list parameters of a saved view. */
export function searchOf({ id, query }: Pick<SavedView, 'id' | 'query'>): ViewSearch {
  return { ...readSearch(parseSearch(query)), view: String(id) }
}

/** The filter of a saved view. */
export function viewFilter({ query }: SavedView): string {
  return viewOf(readSearch(parseSearch(query))).filter
}

/** Whether the URL shows the view, in any parameter order. */
function isShown({ query }: SavedView, search: ViewSearch): boolean {
  const text = (one: ViewSearch) => queryText(storedPairs(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  return text(readSearch(parseSearch(query))) === text(search)
}

export type Current = { view: SavedView; isChanged: boolean }

/** The view named in the URL, or one with the same parameters. */
export function currentView(views: readonly SavedView[], search: ViewSearch): Current | undefined {
  const named = views.find(({ id }) => String(id) === search['view'])
  const shown = named ?? views.find((view) => isShown(view, search))
  return shown && { view: shown, isChanged: !isShown(shown, search) }
}
