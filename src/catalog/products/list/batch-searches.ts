import { batchByKey } from '../../../platform/database/batching/batch-reads.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { failureOf } from '../../../platform/database/failures.ts'
import { broad, sql } from '../../../platform/database/sql.ts'
import { limitConcurrency, TooBusy } from '../../../platform/scheduling/concurrency-limit.ts'
import { listLimits } from '../../limits.ts'
import { type ItemTexts, itemTexts } from './page-form.ts'
import { type Search, selectSearches } from './searched-page.sql.ts'

type FoundSearch = ItemTexts & { place: number }
/** A search, and the latest time at which its statement may begin. */
type WaitingSearch = Search & { latest: number }

export type ReadSearch = (search: Search) => Promise<ItemTexts>

/** Searches that run or are about to. One project takes as many as two statements hold; other searches wait. */
const searchSlots = {
  most: listLimits.searches,
  maxPerProject: listLimits.searchesTogether * listLimits.searchStatements,
  maxWaitSeconds: listLimits.searchWaitSeconds,
}

/**
 * Searches of one project and one kind that arrive at the same time, or wait for a slot, share a statement. If recent searches
 * matched very many products, fewer searches share one.
 */
export function batchSearches(database: Queryable): ReadSearch {
  const turns = limitConcurrency(searchSlots)
  let foundLately = 0

  async function ask(searches: Search[]): Promise<Map<string, ItemTexts>> {
    const found = await database.query(broad(sql<FoundSearch>`${selectSearches(searches, itemTexts)}`))
    const all = found.reduce((sum, { count }) => sum + count, 0)
    foundLately = (foundLately + all / searches.length) / 2
    return new Map(found.map(({ place, ...page }) => [searchKey(searches[place - 1] as Search), page]))
  }

  /** If few searches share a statement, one that has a slot may still wait long. One that is too late sends no statement. */
  async function load(searches: WaitingSearch[]): Promise<Map<string, Promise<ItemTexts>>> {
    const now = performance.now()
    const found = await readTogether(searches.filter(({ latest }) => latest >= now))
    const late = searches.filter(({ latest }) => latest < now)
    for (const search of late) found.set(searchKey(search), Promise.reject(new TooBusy()))
    return found
  }

  /**
   * A search that fails or takes too long must not fail the searches that share its statement, so each is then read alone. Waiting for
   * the time limit of the shared statement would leave no time for that.
   */
  async function readTogether(searches: Search[]): Promise<Map<string, Promise<ItemTexts>>> {
    if (searches.length === 0) return new Map()
    const together = ask(searches)
    const pageIn = (found: Map<string, ItemTexts>, search: Search) =>
      found.get(searchKey(search)) as ItemTexts
    try {
      const found = searches.length === 1 ? await together : await endsIn(listLimits.sharedSeconds, together)
      if (found !== undefined)
        return new Map(searches.map((search) => [searchKey(search), Promise.resolve(pageIn(found, search))]))
    } catch (error) {
      const failure = failureOf(error)
      if (searches.length === 1 || failure === 'database_unavailable' || failure === 'too_busy') throw error
    }
    foundLately = listLimits.searchedProducts
    const either = async (search: Search) => {
      const alone = ask([search])
      const [first] = await Promise.allSettled([Promise.any([alone, together])])
      return pageIn(first?.status === 'fulfilled' ? first.value : await alone, search)
    }
    return new Map(searches.map((search) => [searchKey(search), either(search)]))
  }

  const read = batchByKey({
    groupOf: searchGroup,
    keyOf: searchKey,
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

/** The value, or undefined if it takes longer. */
async function endsIn<Value>(seconds: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), seconds * 1000)
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}

function searchGroup({ projectId, isLargeProject, terms, ordering }: Search): string {
  return [projectId, isLargeProject, ...terms.map(({ column }) => column), ordering].join(' ')
}

function searchKey({ terms, page }: Search): string {
  return JSON.stringify([...terms.map(({ value }) => value), page.number, page.size])
}
