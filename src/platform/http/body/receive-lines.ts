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
import { type Line, type LineLimits, release, splitArray, splitLines } from './split-body.ts'

const limits: LineLimits = { lines: requestLimits.pushLines, lineBytes: requestLimits.lineBytes }
// Slower than this for longer than the server's limit is no push but an open connection.
const checksOfPace = 60

const mediaTypes = ['application/json', 'application/x-ndjson']

/** Leaves bodies to the handlers, which read them as they arrive: each line is checked by itself. */
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
 * The lines of a large body: a JSON array or newline-delimited JSON. All of it is here before the first line is handed out,
 * so a body that is too large, broken or cut off has changed nothing.
 */
async function receiveLines<Result>(
  request: FastifyRequest,
  memory: BodyMemory,
  work: (lines: (Line | undefined)[]) => Promise<Result>,
): Promise<Result> {
  const { raw } = request
  const { pushGraceMilliseconds } = request.server.timeLimits
  // Unpacked already where it came packed, and then of unknown length.
  const body = (request.body ?? raw) as Readable
  const announced = Number((body === raw && request.headers['content-length']) || 0)
  if (announced > requestLimits.pushBytes) throw linger(raw, tooLarge())
  const receiveAndWork = async () => {
    await memory.growTo(1)
    const splitter = mediaType(request) === 'application/x-ndjson' ? splitLines : splitArray
    const digest = digestOf(request, body)
    const lines = await receive(body, splitter(limits), memory, pushGraceMilliseconds)
    // Two requests whose parameters differ are two, whatever their bodies.
    if (digest !== undefined) keepBodyDigest(request, digest, request.url.split('?')[1] ?? '')
    try {
      return await work(lines)
    } finally {
      for (const line of lines) if (line !== undefined) release(line)
    }
  }
  try {
    return await withoutTimeout(request, receiveAndWork)
  } catch (error) {
    throw error instanceof Problem && !raw.complete && !raw.destroyed ? linger(raw, error) : error
  } finally {
    memory.release()
  }
}

/** Only where a repeat has to be recognised. */
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

/** Reads as far as there is memory. */
function receive(
  payload: Readable,
  splitter: Splitter,
  memory: BodyMemory,
  graceMilliseconds: number,
): Promise<(Line | undefined)[]> {
  return new Promise((resolve, reject) => {
    let received = 0
    const stopWatch = watchPace(payload, graceMilliseconds, () => received, fail)

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
    // It may be gone since before there was room for it.
    if (payload.destroyed) cutOff()
  })
}

/** The time in which we do not read is not the client's. */
function watchPace(
  payload: Readable,
  graceMilliseconds: number,
  received: () => number,
  fail: (slow: Problem) => void,
): () => void {
  let milliseconds = 0
  const checkMilliseconds = graceMilliseconds / checksOfPace
  const timer = setInterval(() => {
    if (!payload.isPaused()) milliseconds += checkMilliseconds
    if (milliseconds > graceMilliseconds + (received() / requestLimits.pushPaceBytes) * 1000) fail(tooSlow())
  }, checkMilliseconds)
  return () => clearInterval(timer)
}

/** A client that hears no before it has sent all would see a broken connection instead: what it still sends is dropped. */
function linger(payload: IncomingMessage, problem: Problem): Problem {
  payload.on('error', () => {})
  payload.resume()
  const timer = setTimeout(() => payload.socket.destroy(), requestLimits.lingerMilliseconds)
  payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  return problem
}

function tooLarge(): Problem {
  return new Problem('body_too_large', {
    detail: `One push takes at most ${requestLimits.pushBytes / 1024 / 1024} MiB, and nothing of this one was written. Split it ("split -C ${requestLimits.pushBytes / 1024 / 1024}m FILE part-" keeps lines whole) and push the parts one after the other, or let "catalog import" do it.`,
  })
}

function tooSlow(): Problem {
  return new Problem('request_timeout', {
    detail: `A push may take its time, but not arrive at less than ${requestLimits.pushPaceBytes / 1024} KiB a second for long. Nothing of this one was written; send smaller parts.`,
  })
}
