import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'
import { responseLimits } from '../../limits/responses.ts'
import { countByKey } from '../../scheduling/count-by-key.ts'
import { mebibyte } from '../../units.ts'
import { Problem } from '../problems.ts'
import { beforeBodies } from '../write-routes.ts'
import { whenClosed } from './client-disconnect.ts'
import { setTag } from './etag.ts'
import { inSlices } from './in-slices.ts'
import { droppedHeader } from './response-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A request with a body that changes nothing, such as a preview. */
    writesNothing?: boolean
  }
}

export type InFlightLimits = { total: number; perProject: number; largestPage: number }

/** The memory of a compressor while it waits for the reader of a large response. */
const compressorBytes = 4 * mebibyte
const largeToCompress = mebibyte
/** The maximum size of a product, which a write returns. */
const largestWritten = 1.25 * mebibyte

/**
 * Limits the bytes of responses that wait for their clients. Above the limit, a read is rejected. Writes have a separate limit of
 * half the size, so that clients that do not read cannot block writes. A write is rejected before it starts. Once it is done, its
 * response can exceed the limit by the same amount. Beyond that, the write is acknowledged without a body, because an error would
 * make clients repeat it.
 */
export function limitResponsesInFlight(app: FastifyInstance, limits: InFlightLimits): void {
  const reads = heldBytes(limits)
  const writes = heldBytes({ total: limits.total / 2, perProject: limits.total / 4 })

  beforeBodies(app, (request, _reply, payload, done) => {
    done(writes.isSpent(projectOf(request)) ? tooBusy() : null, payload)
  })

  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const bytes = sizeOf(payload)
    if (bytes <= responseLimits.smallBytes || reply.raw.destroyed) return done()
    if (bytes > limits.largestPage && isPage(request, reply)) return done(new Problem('page_too_large'))
    const isCompressed = bytes > largeToCompress && request.headers['accept-encoding'] !== undefined
    const response = { payload, bytes, extra: isCompressed ? compressorBytes : 0 }
    const project = projectOf(request)
    const release = isRead(request) ? reads.hold(project, response, 1) : writes.hold(project, response, 2)
    if (release === undefined)
      return hasWritten(request, reply) ? dropResponse(reply, payload, done) : done(tooBusy())
    whenClosed(reply, release)
    done()
  })

  // After all other hooks, so that the bytes are final.
  app.addHook('onRoute', (route: RouteOptions) => {
    route.onSend = [...([route.onSend ?? []].flat() as onSendHookHandler[]), sendInSlices]
  })
}

type HeldResponse = { payload: unknown; bytes: number; extra: number }

/** Bytes that several responses share count once. */
function heldBytes({ total, perProject }: Pick<InFlightLimits, 'total' | 'perProject'>) {
  const held = countByKey()
  const sharers = new Map<unknown, { count: number; payer: number }>()

  function fits(projectId: number, bytes: number, times: number): boolean {
    return held.all() + bytes <= total * times && held.of(projectId) + bytes <= perProject * times
  }

  return {
    isSpent: (projectId: number): boolean => !fits(projectId, largestWritten, 1),
    /** Returns a function that releases the bytes, or undefined if they exceed the budget times `times`. */
    hold(
      projectId: number,
      { payload, bytes, extra }: HeldResponse,
      times: number,
    ): (() => void) | undefined {
      const isShareable = Buffer.isBuffer(payload)
      const shared = (isShareable ? sharers.get(payload) : undefined) ?? { count: 0, payer: projectId }
      const own = shared.count === 0 ? bytes : 0
      if (!fits(projectId, extra + own, times)) return undefined
      held.add(projectId, extra + own)
      shared.count += 1
      if (isShareable) sharers.set(payload, shared)
      return () => {
        held.add(projectId, -extra)
        shared.count -= 1
        if (shared.count > 0) return
        sharers.delete(payload)
        held.add(shared.payer, -bytes)
      }
    },
  }
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string')
    // No character takes more than three bytes.
    return payload.length * 3 <= responseLimits.smallBytes ? 0 : Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isPage({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode < 300 && routeOptions.config.problems?.includes('page_too_large') === true
}

/** Responses without a project, such as the API reference, count together. */
function projectOf({ caller }: Partial<Pick<FastifyRequest, 'caller'>>): number {
  return caller?.project_id ?? 0
}

function tooBusy(): Problem {
  return new Problem('too_busy', {
    detail:
      'Too many responses are waiting for their clients. Read responses completely, then try again after the number of seconds in Retry-After.',
    headers: { 'retry-after': String(responseLimits.memoryRetryAfterSeconds) },
  })
}

/** Whether something was written: errors and dry runs change nothing. */
function hasWritten(request: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const { query, routeOptions } = request
  const isTried = (query as { dry_run?: boolean } | undefined)?.dry_run === true
  return !isRead(request) && statusCode < 300 && !isTried && routeOptions.config.writesNothing !== true
}

/** The headers remain, with the URL and the version of the object. */
function dropResponse(
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: null) => void,
): void {
  if (reply.shownVersion !== undefined && typeof payload === 'string') setTag(reply, payload)
  reply.code(204).header(droppedHeader, 'dropped').removeHeader('content-type').removeHeader('content-length')
  done(null, null)
}

const sendInSlices: onSendHookHandler<unknown> = (_request, reply, payload, done) => {
  const isText = typeof payload === 'string'
  if ((!isText && !Buffer.isBuffer(payload)) || payload.length <= responseLimits.smallBytes) return done()
  const bytes = isText ? Buffer.from(payload) : payload
  reply.header('content-length', bytes.length)
  done(null, inSlices(bytes))
}
