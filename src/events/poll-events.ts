import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { type Cursor, parseCursor } from './cursor.ts'
import type { FeedWatch } from './feed-watch.ts'
import { type EventsAsked, type EventsRead, readEvents } from './read-events.sql.ts'

/** Under what a page may be large without waiting for its turn (src/http/limits/memory-budget.ts). */
const mostBytes = 2 * 1024 * 1024

/** The next events, with all that was committed before; waits for some where there are none. */
export async function pollEvents(
  database: Queryable,
  watch: FeedWatch,
  request: FastifyRequest,
  asked: Pick<EventsAsked, 'after' | 'types' | 'limit'>,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<EventsRead> {
  const deadline = performance.now() + waitSeconds * 1000
  let { caller } = request
  let after = asked.after
  let leave: (() => void) | undefined
  try {
    for (;;) {
      await watch.numberForReader()
      const since = watch.moves(caller.project_id)
      const page = await readEvents(database, caller.project_id, {
        ...asked,
        ...{ after, scopes: caller.scopes, mostBytes },
      })
      const left = deadline - performance.now()
      if (page.results.length > 0 || page.cursor !== page.head || left <= 0 || watch.isLeaving()) return page
      after = parseCursor(page.cursor) as Cursor
      leave ??= watch.enter(caller.project_id)
      await watch.changed(caller.project_id, signal, left, since)
      if (signal.aborted) throw new Problem('malformed_request', { detail: 'The client hung up.' })
      caller = await request.checkAgain()
    }
  } finally {
    leave?.()
  }
}
