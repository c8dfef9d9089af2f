import { batchByKey } from '../../../platform/database/batching/batch-reads.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { failureOf } from '../../../platform/database/failures.ts'
import { broad, sql } from '../../../platform/database/sql.ts'
import { limitConcurrency, TooBusy } from '../../../platform/scheduling/concurrency-limit.ts'
import { listLimits } from '../../limits.ts'
import { type ItemTexts, itemTexts } from './page-form.ts'
import { type Search, selectSearches } from './searched-page.sql.ts'

type FoundPage = ItemTexts & { place: number }
/** A search, and until when its statement has to begin. */
type WaitingSearch = Search & { latest: number }

export type ReadSearch = (search: Search) => Promise<ItemTexts>

/** How many searches are asked for or about to be, of one project as many as two statements hold; the others wait for their turn. */
const places = {
  most: listLimits.searches,
  mostOfProject: listLimits.searchesTogether * listLimits.searchStatements,
  patienceSeconds: listLimits.searchWaitSeconds,
}

/**
 * Searches of one project and one kind that are asked for in one moment, or wait for their turn, share a statement. Where the last ones
 * found very much, fewer do.
 */
export function batchSearches(database: Queryable): ReadSearch {
  const turns = limitConcurrency(places)
  let foundLately = 0

  async function ask(searches: Search[]): Promise<Map<string, ItemTexts>> {
    const found = await database.query(broad(sql<FoundPage>`${selectSearches(searches, itemTexts)}`))
    const all = found.reduce((sum, { count }) => sum + count, 0)
    foundLately = (foundLately + all / searches.length) / 2
    return new Map(found.map(({ place, ...page }) => [keyOf(searches[place - 1] as Search), page]))
  }

  /** Where few share a statement, a search that has its place may still wait long; one that is late asks the database nothing. */
  async function load(searches: WaitingSearch[]): Promise<Map<string, Promise<ItemTexts>>> {
    const now = performance.now()
    const found = await readTogether(searches.filter(({ latest }) => latest >= now))
    const late = searches.filter(({ latest }) => latest < now)
    for (const search of late) found.set(keyOf(search), Promise.reject(new TooBusy()))
    return found
  }

  async function readTogether(searches: Search[]): Promise<Map<string, Promise<ItemTexts>>> {
    if (searches.length === 0) return new Map()
    try {
      const found = await ask(searches)
      return new Map([...found].map(([key, page]) => [key, Promise.resolve(page)]))
    } catch (error) {
      const failure = failureOf(error)
      if (searches.length === 1 || failure === 'database_unavailable' || failure === 'too_busy') throw error
      // A search that takes too long, or fails, is no fault of those that share its statement.
      foundLately = listLimits.searchedProducts
      const alone = async (search: Search) => (await ask([search])).get(keyOf(search)) as ItemTexts
      return new Map(searches.map((search) => [keyOf(search), alone(search)]))
    }
  }

  const read = batchByKey({
    groupOf,
    keyOf,
    keysPerStatement: () =>
      Math.min(
        listLimits.searchesTogether,
        Math.max(1, Math.floor(listLimits.searchedProducts / foundLately)),
      ),
    atOnce: listLimits.searchStatements,
    load,
  })
  return async (search) => {
    const latest = performance.now() + listLimits.searchWaitSeconds * 1000
    return (await turns.run(() => read({ ...search, latest }), search.projectId)) as ItemTexts
  }
}

function groupOf({ projectId, isLargeProject, terms, ordering }: Search): string {
  return [projectId, isLargeProject, ...terms.map(({ column }) => column), ordering].join(' ')
}

function keyOf({ terms, page }: Search): string {
  return JSON.stringify([...terms.map(({ value }) => value), page.number, page.size])
}
