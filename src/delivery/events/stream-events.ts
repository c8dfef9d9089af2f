import type { FastifyRequest } from 'fastify'
import { type Cursor, formatCursor, parseCursor } from '../../model/events/cursor.ts'
import { findFeedHead, findFeedPosition } from '../../model/events/feed-position.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { asProblem } from '../../platform/http/problem-response.ts'
import { Problem } from '../../platform/http/problems.ts'
import { eventLimits } from '../limits.ts'
import type { FeedPage, FeedReads } from './feed-reads.ts'
import type { FeedWatch } from './feed-watch.ts'
import type { EventQuery } from './read-events.sql.ts'

const heartbeat = ':\n\n'

export type Feed = { database: Queryable; watch: FeedWatch; readFeed: FeedReads }

type StreamAsked = Pick<EventQuery, 'types' | 'mostBytes'> & { after: Cursor | undefined }

/**
 * The text of a stream, a batch at a time; the next batch is read when the client has taken the last one. The first part comes at
 * once, and an error before it is an ordinary answer. Later errors end the stream with an event that says why.
 */
export async function* streamEvents(
  { database, watch, readFeed }: Feed,
  request: FastifyRequest,
  asked: StreamAsked,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { project_id } = request.caller
  const leave = watch.enter(project_id)
  try {
    if (asked.after !== undefined) await findFeedPosition(database, project_id, asked.after, 0)
    // What was committed before the stream began is not part of it.
    if (asked.after === undefined) await watch.numberForReader()
    const after = asked.after ?? (await findFeedHead(database, project_id))
    yield `retry: ${eventLimits.reconnectMilliseconds}\nid: ${formatCursor(after)}\n\n`
    yield* batches({ watch, readFeed }, request, { ...asked, after }, signal)
  } finally {
    leave()
  }
}

async function* batches(
  { watch, readFeed }: Pick<Feed, 'watch' | 'readFeed'>,
  request: FastifyRequest,
  { after: start, ...asked }: StreamAsked & { after: Cursor },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { heartbeatMilliseconds } = request.server.timeLimits
  let after = formatCursor(start)
  let told = after
  let toldAt = performance.now()
  try {
    while (!signal.aborted) {
      if (watch.isLeaving()) throw new Problem('not_ready', { detail: 'The service is stopping; reconnect.' })
      const { project_id, scopes } = await request.checkAgain()
      const from = { after: parseCursor(after) as Cursor, scopes, limit: eventLimits.streamedEvents }
      const page = await readFeed(project_id, { ...asked, ...from }, signal)
      after = page.cursor
      const quiet = performance.now() - toldAt
      if (page.results.length > 0 || quiet >= heartbeatMilliseconds) {
        // How far was looked without a find is worth telling, too: who comes again need not look there again.
        yield textOf(page) || (after === told ? heartbeat : `id: ${after}\n\n`)
        told = page.results.at(-1)?.cursor ?? after
        toldAt = performance.now()
      } else if (after === page.head)
        await watch.changed(project_id, signal, heartbeatMilliseconds - quiet, page.moves)
    }
  } catch (error) {
    const problem = asProblem(error as Error, request)
    if (problem.problemCode === 'internal_error') request.log.error({ err: error }, 'unexpected error')
    yield `event: closing\ndata: ${JSON.stringify({ code: problem.problemCode, detail: problem.message })}\n\n`
  }
}

function textOf({ results, texts }: FeedPage): string {
  return results
    .map(({ cursor, type }, index) => `id: ${cursor}\nevent: ${type}\ndata: ${texts[index]}\n\n`)
    .join('')
}
