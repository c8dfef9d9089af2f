import type { FastifyRequest } from 'fastify'
import { type Cursor, parseCursor } from '../../model/events/cursor.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { eventLimits } from '../limits.ts'
import type { FeedPage, FeedReads } from './feed-reads.ts'
import type { FeedWatch } from './feed-watch.ts'
import type { EventQuery } from './read-events.sql.ts'

/** Returns the next events, including everything committed before the call. Waits for events if there are none. */
export async function pollEvents(
  readFeed: FeedReads,
  watch: FeedWatch,
  request: FastifyRequest,
  query: Pick<EventQuery, 'after' | 'types' | 'limit'>,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<FeedPage> {
  const deadline = performance.now() + waitSeconds * 1000
  let { caller } = request
  let after = query.after
  let release: (() => void) | undefined
  try {
    for (;;) {
      const { project_id: projectId, scopes } = caller
      const page = await readFeed(
        projectId,
        { ...query, after, scopes, mostBytes: eventLimits.pageBytes, baseUrl: () => baseUrlOf(request) },
        signal,
      )
      const left = deadline - performance.now()
      if (page.results.length > 0 || page.cursor !== page.head || left <= 0 || watch.isClosing()) return page
      after = parseCursor(page.cursor) as Cursor
      release ??= watch.enter(projectId)
      await watch.waitForChange(projectId, signal, left, page.revision)
      signal.throwIfAborted()
      caller = await request.recheckCaller()
    }
  } finally {
    release?.()
  }
}

/** The page as JSON, built from events that are already JSON. */
export function serializePage({ texts, cursor, head }: FeedPage): string {
  return `{"results":[${texts.join()}],${JSON.stringify({ cursor, head }).slice(1)}`
}
