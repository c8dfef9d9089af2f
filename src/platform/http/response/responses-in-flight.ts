import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'
import { responseLimits } from '../../limits/responses.ts'
import { countByKey } from '../../scheduling/count-by-key.ts'
import { mebibyte } from '../../units.ts'
import { beforeBodies } from '../body/before-bodies.ts'
import { Problem } from '../problems.ts'
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

/** What a compressor keeps while it waits for the reader of a large answer. */
const compressorBytes = 4 * mebibyte
const largeToCompress = mebibyte
/** A write answers with a product, which may be this large. */
const largestWritten = 1.25 * mebibyte

/**
 * Counts the bytes of answers that wait to be read. A read that finds no room is refused. Writes have half as much room, of
 * their own, so that nobody who does not read keeps others from writing; a write is refused before it begins, and once it is
 * done its answer may go over that room by as much again. Beyond that the write is acknowledged without a body: a refusal would make
 * clients write again.
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
    const answer = { payload, bytes, extra: isCompressed ? compressorBytes : 0 }
    const project = projectOf(request)
    const release = isRead(request) ? reads.hold(project, answer, 1) : writes.hold(project, answer, 2)
    if (release === undefined)
      return hasWritten(request, reply) ? dropAnswer(reply, payload, done) : done(tooBusy())
    reply.raw.once('close', release)
    done()
  })

  // After all others, so that the bytes are the last ones.
  app.addHook('onRoute', (route: RouteOptions) => {
    route.onSend = [...([route.onSend ?? []].flat() as onSendHookHandler[]), sendInSlices]
  })
}

type Answer = { payload: unknown; bytes: number; extra: number }

/** Bytes that several answers share count once. */
function heldBytes({ total, perProject }: Pick<InFlightLimits, 'total' | 'perProject'>) {
  const held = countByKey()
  const sharers = new Map<unknown, { count: number; payer: number }>()

  function fits(projectId: number, bytes: number, times: number): boolean {
    return held.all() + bytes <= total * times && held.of(projectId) + bytes <= perProject * times
  }

  return {
    isSpent: (projectId: number): boolean => !fits(projectId, largestWritten, 1),
    /** Returns what gives the bytes back, or undefined when there is no room for them in so many times the budget. */
    hold(projectId: number, { payload, bytes, extra }: Answer, times: number): (() => void) | undefined {
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

/** Answers to nobody in particular, such as the reference, count together. */
function projectOf({ caller }: Partial<Pick<FastifyRequest, 'caller'>>): number {
  return caller?.project_id ?? 0
}

function tooBusy(): Problem {
  return new Problem('too_busy', {
    detail:
      'Other answers still wait to be read by their clients. Read answers to their end, and try again in a moment.',
    headers: { 'retry-after': String(responseLimits.memoryRetryAfterSeconds) },
  })
}

/** Whether something was written: an error has changed nothing, and neither has a dry run. */
function hasWritten(request: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const { query, routeOptions } = request
  const isTried = (query as { dry_run?: boolean } | undefined)?.dry_run === true
  return !isRead(request) && statusCode < 300 && !isTried && routeOptions.config.writesNothing !== true
}

/** The headers stay, with the address and the version of what was written. */
function dropAnswer(reply: FastifyReply, payload: unknown, done: (error: null, payload: null) => void): void {
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
