import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type ConcurrencyLimits, limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import type { FeedWatch } from './feed-watch.ts'
import { type EventBatch, type EventQuery, readEvents } from './read-events.sql.ts'
import { showEvent } from './show-event.ts'

export type FeedPage = EventBatch & {
  /** Each event as JSON. */
  texts: string[]
  /** The revision of the feed before the read. */
  revision: number
}

/** A read for a client, who knows the service by this URL. */
export type FeedQuery = EventQuery & { baseUrl: () => string }

export type FeedReads = ReturnType<typeof openFeedReads>

/**
 * Reads the feed for polls and streams, with a limit per project so that a burst of reads delays only its own project. Serialization yields
 * between events. A client that disconnects ends its read, also while it waits.
 */
export function openFeedReads(database: Queryable, watch: FeedWatch, limits: ConcurrencyLimits) {
  const slots = limitConcurrency(limits)

  async function read(projectId: number, query: FeedQuery, signal: AbortSignal): Promise<FeedPage> {
    await watch.numberForReader()
    const revision = watch.revision(projectId)
    const page = await readEvents(abortQueries(database, signal), projectId, query)
    const texts = await mapInTurns(page.results, (event) => {
      signal.throwIfAborted()
      return JSON.stringify(showEvent(event, query.baseUrl))
    })
    return { ...page, texts, revision }
  }

  return (projectId: number, query: FeedQuery, signal: AbortSignal): Promise<FeedPage> =>
    slots.run(() => read(projectId, query, signal), projectId, signal)
}
