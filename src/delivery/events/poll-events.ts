import type { FastifyRequest } from 'fastify'
import { type Cursor, parseCursor } from '../../model/events/cursor.ts'
import { eventLimits } from '../limits.ts'
import type { FeedPage, FeedReads } from './feed-reads.ts'
import type { FeedWatch } from './feed-watch.ts'
import type { EventQuery } from './read-events.sql.ts'

/** The next events, with all that was committed before; waits for some where there are none. */
export async function pollEvents(
  readFeed: FeedReads,
  watch: FeedWatch,
  request: FastifyRequest,
  asked: Pick<EventQuery, 'after' | 'types' | 'limit'>,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<FeedPage> {
  const deadline = performance.now() + waitSeconds * 1000
  let { caller } = request
  let after = asked.after
  let leave: (() => void) | undefined
  try {
    for (;;) {
      const { project_id: projectId, scopes } = caller
      const page = await readFeed(
        projectId,
        { ...asked, after, scopes, mostBytes: eventLimits.pageBytes },
        signal,
      )
      const left = deadline - performance.now()
      if (page.results.length > 0 || page.cursor !== page.head || left <= 0 || watch.isLeaving()) return page
      after = parseCursor(page.cursor) as Cursor
      leave ??= watch.enter(projectId)
      await watch.changed(projectId, signal, left, page.moves)
      signal.throwIfAborted()
      caller = await request.checkAgain()
    }
  } finally {
    leave?.()
  }
}

/** The page as JSON, of events that are JSON already. */
export function pageOfEvents({ texts, cursor, head }: FeedPage): string {
  return `{"results":[${texts.join()}],${JSON.stringify({ cursor, head }).slice(1)}`
}
