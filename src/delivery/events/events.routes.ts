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
import { pageOfEvents, pollEvents } from './poll-events.ts'
import { type Feed, streamEvents } from './stream-events.ts'
import { matchingTypes, typePatterns } from './type-patterns.ts'

const afterMeans =
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
  after: After({ description: afterMeans, default: '0' }),
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
    description: `${afterMeans}. The header Last-Event-ID takes precedence. Without either, the stream begins now`,
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
        const asked = { after: readCursor('after', after), types: typesOf(types), limit }
        const page = await pollEvents(readFeed, watch, request, asked, wait, disconnectSignal(reply))
        if (watch.isLeaving()) reply.header('connection', 'close')
        reply.type('application/json; charset=utf-8')
        return pageOfEvents(page) as never
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
        const resumed = request.headers['last-event-id']
        const given = typeof resumed === 'string' && resumed !== '' ? resumed : after
        const from =
          given === undefined ? undefined : readCursor(given === after ? 'after' : 'Last-Event-ID', given)
        const asked = { after: from, types: typesOf(types), mostBytes: batchBytes }
        reply
          .type('text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
        if (request.method === 'HEAD') return reply.send(Readable.from([]) as never)
        const parts = (signal: AbortSignal) => streamEvents(feed, request, asked, signal)
        return reply.send((await streamParts(reply, parts)) as never)
      },
    )
  }
}

function readCursor(parameter: string, text: string): Cursor {
  const cursor = parseCursor(text)
  if (cursor !== undefined) return cursor
  throw invalid(parameter, 'must be a cursor from a response, or 0 for the beginning of the feed')
}

function typesOf(words: readonly string[] | undefined): EventType[] | undefined {
  const unknown = words?.find((word) => !typePatterns.includes(word))
  if (unknown !== undefined)
    throw invalid(
      'types',
      `has "${unknown}", which is not an event type${suggestNames(unknown, typePatterns)}`,
    )
  return words && matchingTypes(words)
}

function invalid(parameter: string, message: string): Problem {
  return new Problem('invalid_parameters', { errors: [{ parameter, code: 'invalid_value', message }] })
}
