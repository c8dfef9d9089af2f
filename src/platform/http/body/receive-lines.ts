import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { requestLimits } from '../../limits/requests.ts'
import type { ConcurrencyLimit } from '../../scheduling/concurrency-limit.ts'
import { Problem } from '../problems.ts'
import { compileValidator } from '../request/validation.ts'
import { withoutTimeout } from '../request/without-timeout.ts'
import type { BodyMemory, ReserveBodyMemory } from './body-memory.ts'
import { keepBodyDigest, rejectCharsets } from './json-body.ts'
import { readRestIfRejected, watchPace } from './slow-bodies.ts'
import { type Line, type LineLimits, release, splitArray, splitLines } from './split-body.ts'

const limits: LineLimits = { lines: requestLimits.pushLines, lineBytes: requestLimits.lineBytes }

const mediaTypes = ['application/json', 'application/x-ndjson']

/** Leaves bodies to the handlers, which read them as they arrive and validate each line separately. */
export function acceptLines(
  app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser' | 'setValidatorCompiler'>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(mediaTypes, async (_request: FastifyRequest, payload: IncomingMessage) => payload)
  app.addContentTypeParser('*', async () => {
    throw new Problem('unsupported_media_type', { detail: `Send the body as ${mediaTypes.join(' or ')}.` })
  })
  app.setValidatorCompiler<TSchema>((part) =>
    part.httpPart === 'body' ? (body: unknown) => ({ value: body }) : compileValidator(part),
  )
}

/** Limits the memory of large bodies, and how many are processed at once. */
export type LargeBodyLimits = { reserveBodyMemory: ReserveBodyMemory; atOnce: ConcurrencyLimit }

/** Processes the lines of a large body, within the concurrency limit of its project. */
export function withLines<Result>(
  request: FastifyRequest,
  projectId: number,
  { reserveBodyMemory, atOnce }: LargeBodyLimits,
  work: (lines: (Line | undefined)[]) => Promise<Result>,
): Promise<Result> {
  rejectCharsets(request)
  return receiveLines(request, reserveBodyMemory(projectId), (lines) =>
    atOnce.run(() => work(lines), projectId),
  )
}

/**
 * The lines of a large body: a JSON array or newline-delimited JSON. The body is complete before the first line is returned,
 * so a body that is too large, malformed or incomplete changes nothing.
 */
async function receiveLines<Result>(
  request: FastifyRequest,
  memory: BodyMemory,
  work: (lines: (Line | undefined)[]) => Promise<Result>,
): Promise<Result> {
  const { raw } = request
  const { pushGraceMilliseconds } = request.server.timeLimits
  // A compressed body is decompressed already, and its length is unknown.
  const body = (request.body ?? raw) as Readable
  const announced = Number((body === raw && request.headers['content-length']) || 0)
  const receiveAndWork = async () => {
    if (announced > requestLimits.pushBytes) throw tooLarge()
    await memory.growTo(1)
    const splitter = mediaType(request) === 'application/x-ndjson' ? splitLines : splitArray
    const digest = digestOf(request, body)
    const lines = await receive(body, splitter(limits), memory, pushGraceMilliseconds)
    // Requests with different parameters are different, even if their bodies are equal.
    if (digest !== undefined) keepBodyDigest(request, digest, request.url.split('?')[1] ?? '')
    try {
      return await work(lines)
    } finally {
      for (const line of lines) if (line !== undefined) release(line)
    }
  }
  try {
    return await readRestIfRejected(raw, () => withoutTimeout(request, receiveAndWork))
  } finally {
    memory.release()
  }
}

/** Only for requests with an idempotency key. */
function digestOf({ headers }: FastifyRequest, body: Readable): Hash | undefined {
  if (headers['idempotency-key'] === undefined) return undefined
  const digest = createHash('sha256')
  body.on('data', (chunk: Buffer) => void digest.update(chunk))
  return digest
}

function mediaType({ headers }: FastifyRequest): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

type Splitter = ReturnType<typeof splitLines>

/** Reads while memory is available. */
function receive(
  payload: Readable,
  splitter: Splitter,
  memory: BodyMemory,
  graceMilliseconds: number,
): Promise<(Line | undefined)[]> {
  return new Promise((resolve, reject) => {
    let received = 0
    const stopWatch = watchPace(
      () => !payload.isPaused(),
      graceMilliseconds,
      () => received,
      fail,
    )

    function stop(): void {
      stopWatch()
      payload.off('data', take).off('end', finish).off('error', fail).off('close', cutOff)
    }
    function fail(error: Error): void {
      stop()
      reject(error)
    }
    function attempt(step: () => void): void {
      try {
        step()
      } catch (error) {
        fail(error as Error)
      }
    }
    function take(chunk: Buffer): void {
      received += chunk.length
      attempt(() => {
        if (received > requestLimits.pushBytes) throw tooLarge()
        splitter.take(chunk)
        const wait = memory.growTo(received)
        if (wait === undefined) return
        payload.pause()
        wait.then(() => payload.resume(), fail)
      })
    }
    function finish(): void {
      attempt(() => {
        const lines = splitter.end()
        stop()
        resolve(lines)
      })
    }
    const cutOff = () => fail(new Problem('malformed_request'))
    payload.on('data', take).on('end', finish).on('error', fail).on('close', cutOff)
    // The client may have disconnected before memory was available.
    if (payload.destroyed) cutOff()
  })
}

function tooLarge(): Problem {
  return new Problem('body_too_large', {
    detail: `A push can have at most ${requestLimits.pushBytes / 1024 / 1024} MiB. Nothing of this push was written. Split it ("split -C ${requestLimits.pushBytes / 1024 / 1024}m FILE part-" keeps lines intact) and push the parts one after another, or use "catalog import".`,
  })
}
