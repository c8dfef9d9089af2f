import type { FastifyRequest } from 'fastify'
import { type Cursor, formatCursor, parseCursor } from '../../model/events/cursor.ts'
import { findFeedHead, findFeedPosition } from '../../model/events/feed-position.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { asProblem } from '../../platform/http/problem-response.ts'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { eventLimits } from '../limits.ts'
import type { FeedPage, FeedReads } from './feed-reads.ts'
import type { FeedWatch } from './feed-watch.ts'
import type { EventQuery } from './read-events.sql.ts'

const heartbeat = ':\n\n'

export type Feed = { database: Queryable; watch: FeedWatch; readFeed: FeedReads }

type StreamQuery = Pick<EventQuery, 'types' | 'mostBytes'> & { after: Cursor | undefined }

/**
 * Yields the text of a stream in batches; the next batch is read when the client has received the last one. An error before the first part
 * is an ordinary error response. Later errors end the stream with a `closing` event.
 */
export async function* streamEvents(
  { database, watch, readFeed }: Feed,
  request: FastifyRequest,
  query: StreamQuery,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { project_id } = request.caller
  const release = watch.enter(project_id)
  try {
    if (query.after !== undefined) await findFeedPosition(database, project_id, query.after, 0)
    // Events that were committed before the stream began are not part of it.
    if (query.after === undefined) await watch.numberForReader()
    const after = query.after ?? (await findFeedHead(database, project_id))
    yield `retry: ${eventLimits.reconnectMilliseconds}\nid: ${formatCursor(after)}\n\n`
    yield* batches({ watch, readFeed }, request, { ...query, after }, signal)
  } finally {
    release()
  }
}

async function* batches(
  { watch, readFeed }: Pick<Feed, 'watch' | 'readFeed'>,
  request: FastifyRequest,
  { after: start, ...query }: StreamQuery & { after: Cursor },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { heartbeatMilliseconds } = request.server.timeLimits
  let after = formatCursor(start)
  let sent = after
  let sentAt = performance.now()
  try {
    while (!signal.aborted) {
      if (watch.isClosing()) throw new Problem('not_ready', { detail: 'The service is stopping; reconnect.' })
      const { project_id, scopes } = await request.recheckCaller()
      const from = {
        after: parseCursor(after) as Cursor,
        scopes,
        limit: eventLimits.streamedEvents,
        baseUrl: () => baseUrlOf(request),
      }
      const page = await readFeed(project_id, { ...query, ...from }, signal)
      after = page.cursor
      const idle = performance.now() - sentAt
      if (page.results.length > 0 || idle >= heartbeatMilliseconds) {
        // Also sends the cursor after a search without matches, so that a reconnecting client skips it.
        yield formatEvents(page) || (after === sent ? heartbeat : `id: ${after}\n\n`)
        sent = page.results.at(-1)?.cursor ?? after
        sentAt = performance.now()
      } else if (after === page.head)
        await watch.waitForChange(project_id, signal, heartbeatMilliseconds - idle, page.revision)
    }
  } catch (error) {
    const problem = asProblem(error as Error, request)
    if (problem.problemCode === 'internal_error') request.log.error({ err: error }, 'unexpected error')
    yield `event: closing\ndata: ${JSON.stringify({ code: problem.problemCode, detail: problem.message })}\n\n`
  }
}

function formatEvents({ results, texts }: FeedPage): string {
  return results
    .map(({ cursor, type }, index) => `id: ${cursor}\nevent: ${type}\ndata: ${texts[index]}\n\n`)
    .join('')
}
