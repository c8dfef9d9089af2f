import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Cursor, parseCursor } from '../../model/events/cursor.ts'
import type { EventType } from '../../model/events/event-types.ts'
import type { MemoryBudget } from '../../platform/http/limits/memory-budget.ts'
import { ref } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import { withoutTag } from '../../platform/http/response/response-headers.ts'
import { streamParts } from '../../platform/http/response/stream-parts.ts'
import { eventLimits } from '../limits.ts'
import { EventPageSchema } from './event.schema.ts'
import { pollEvents, serializePage } from './poll-events.ts'
import { type Feed, streamEvents } from './stream-events.ts'
import { matchingTypes, typePatterns } from './type-patterns.ts'

const afterDescription =
  'The `cursor` of a response or an event: returns the events after it; `0` is the beginning of the feed'
const After = (rest: object) => Type.Optional(Type.String({ maxLength: 60, ...rest }))
const Types = Type.Optional(
  Type.Array(Type.String(), {
    style: 'form',
    explode: false,
    maxItems: eventLimits.types,
    description: `Only these types, separated by commas: ${typePatterns.map((pattern) => `\`${pattern}\``).join(', ')}`,
  }),
)

const PollQuerySchema = Type.Object({
  after: After({ description: afterDescription, default: '0' }),
  types: Types,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: eventLimits.pageEvents,
      default: eventLimits.pageEventsByDefault,
      description: 'Maximum number of events',
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: eventLimits.waitSeconds,
      default: 0,
      description: 'Seconds to wait for an event if there is none yet',
    }),
  ),
})
const StreamQuerySchema = Type.Object({
  after: After({
    description: `${afterDescription}. The header Last-Event-ID takes precedence. Without either, the stream begins now`,
  }),
  types: Types,
})

const tags = ['Events']
const scope = 'events:read'

export function eventRoutes(
  feed: Feed,
  { batchBytes }: Pick<MemoryBudget['events'], 'batchBytes'>,
): FastifyPluginAsyncTypebox {
  const { watch, readFeed } = feed
  return async (app) => {
    app.get(
      '/events',
      {
        config: { scope, waits: true, problems: ['feed_restarted', 'cursor_expired'] },
        schema: {
          tags,
          operationId: 'listEvents',
          summary: 'List events after a cursor',
          description:
            'Returns every change of products, stock, categories, attributes, quality rules, prompts and proposals. Events are numbered after their commit, and their order never changes: no event is missing or appears twice, and events of one object are in the order of its versions. Continue from `cursor` until it equals `head`; until then, a page may have fewer events than `limit`, or none. You see an event if you have the read scope of its object.',
          querystring: PollQuerySchema,
          response: { 200: ref(EventPageSchema) },
        },
      },
      async (request, reply) => {
        const { after = '0', types, limit = 100, wait = 0 } = request.query
        const query = { after: readCursor('after', after), types: readTypes(types), limit }
        const page = await pollEvents(readFeed, watch, request, query, wait, disconnectSignal(reply))
        if (watch.isClosing()) reply.header('connection', 'close')
        reply.type('application/json; charset=utf-8')
        return serializePage(page) as never
      },
    )

    app.get(
      '/events/stream',
      {
        compress: false,
        config: { scope, waits: true, problems: ['feed_restarted', 'cursor_expired'] },
        schema: {
          tags,
          operationId: 'streamEvents',
          summary: 'Stream events as server-sent events',
          description:
            'Sends the events of GET /events as they occur: `id` is the cursor, `event` the type, and `data` the event as JSON. A client that lost its connection reconnects with Last-Event-ID and misses nothing. The stream sends a comment every 15 seconds as a heartbeat. When the service ends the stream, a `closing` event has the reason in code and detail: for example, the token was revoked or the service is stopping.',
          querystring: StreamQuerySchema,
          response: {
            200: withoutTag({
              description: 'Server-sent events',
              content: { 'text/event-stream': { schema: Type.String() } },
            }),
          },
        },
      },
      async (request, reply) => {
        const { after, types } = request.query
        const lastEventId = request.headers['last-event-id']
        const given = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : after
        const from =
          given === undefined ? undefined : readCursor(given === after ? 'after' : 'Last-Event-ID', given)
        const query = { after: from, types: readTypes(types), mostBytes: batchBytes }
        reply
          .type('text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
        if (request.method === 'HEAD') return reply.send(Readable.from([]) as never)
        const parts = (signal: AbortSignal) => streamEvents(feed, request, query, signal)
        return reply.send((await streamParts(reply, parts)) as never)
      },
    )
  }
}

function readCursor(parameter: string, text: string): Cursor {
  const cursor = parseCursor(text)
  if (cursor !== undefined) return cursor
  throw invalidParameter(parameter, 'must be a cursor from a response, or 0 for the beginning of the feed')
}

function readTypes(patterns: readonly string[] | undefined): EventType[] | undefined {
  const unknown = patterns?.find((pattern) => !typePatterns.includes(pattern))
  if (unknown !== undefined)
    throw invalidParameter(
      'types',
      `has "${unknown}", which is not an event type${suggestNames(unknown, typePatterns)}`,
    )
  return patterns && matchingTypes(patterns)
}

function invalidParameter(parameter: string, message: string): Problem {
  return new Problem('invalid_parameters', { errors: [{ parameter, code: 'invalid_value', message }] })
}
