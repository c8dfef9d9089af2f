import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type ConcurrencyLimits, limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import type { FeedWatch } from './feed-watch.ts'
import { type EventBatch, type EventQuery, readEvents } from './read-events.sql.ts'

export type FeedPage = EventBatch & {
  /** Each event as JSON. */
  texts: string[]
  /** How often the feed had moved before the read. */
  moves: number
}

export type FeedReads = ReturnType<typeof openFeedReads>

/**
 * Reads of the feed for polls and streams. A page of events is read and written in turns, and a project has few of them at a time:
 * a burst of reads waits for itself. A client that leaves ends its read, also while it waits.
 */
export function openFeedReads(database: Queryable, watch: FeedWatch, limits: ConcurrencyLimits) {
  const atOnce = limitConcurrency(limits)

  async function read(projectId: number, asked: EventQuery, signal: AbortSignal): Promise<FeedPage> {
    await watch.numberForReader()
    const moves = watch.moves(projectId)
    const page = await readEvents(abortQueries(database, signal), projectId, asked)
    const texts = await mapInTurns(page.results, (event) => {
      signal.throwIfAborted()
      return JSON.stringify(event)
    })
    return { ...page, texts, moves }
  }

  return (projectId: number, asked: EventQuery, signal: AbortSignal): Promise<FeedPage> =>
    atOnce.run(() => read(projectId, asked, signal), projectId, signal)
}
