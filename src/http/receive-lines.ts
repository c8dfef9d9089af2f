import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { admitBytes, type Room } from './admission.ts'
import { patientSockets } from './client-error.ts'
import { Problem } from './problems.ts'
import { type Line, type LineLimits, letGo, splitArray, splitLines } from './split-body.ts'

const mostBytes = 64 * 1024 * 1024
const limits: LineLimits = { lines: 10_000, lineBytes: 1024 * 1024 }
// Slower than this for longer than the server's limit is no push but an open connection.
const leastBytesPerSecond = 128 * 1024
const checksOfPace = 60
const lingerMilliseconds = 10_000

// What this process holds at once, so that memory stays bounded; whoever comes later waits unread. The first part of every
// body has room of its own: a small push does not wait for large ones, and no project can take all of either.
const firstBytes = 1024 * 1024
const admitFirst = admitBytes({ total: 32 * firstBytes, perProject: 16 * firstBytes })
const admitRest = admitBytes({ total: 2 * mostBytes, perProject: mostBytes })

/**
 * The lines of a large body: a JSON array or newline-delimited JSON. All of it is here before the first line is handed out,
 * so a body that is too large, broken or cut off has changed nothing.
 */
export async function withLines<Result>(
  request: FastifyRequest,
  projectId: number,
  work: (lines: (Line | undefined)[]) => Promise<Result>,
): Promise<Result> {
  const { raw } = request
  const { pushGraceMilliseconds, pushRoomMilliseconds } = request.server.timeLimits
  // Unpacked already where it came packed, and then of unknown length.
  const body = (request.body ?? raw) as Readable
  const announced = Number((body === raw && request.headers['content-length']) || mostBytes)
  if (announced > mostBytes) throw linger(raw, tooLarge())
  // The server's own limits are for small bodies.
  const { socket } = raw
  const usualTimeout = socket.timeout ?? 0
  patientSockets.add(socket)
  socket.setTimeout(0)
  const rooms = [admitFirst(projectId, Math.min(announced, firstBytes), pushRoomMilliseconds)]
  try {
    await rooms[0]
    const splitter = mediaType(request) === 'application/x-ndjson' ? splitLines : splitArray
    const wait = () =>
      rooms[rooms.push(admitRest(projectId, announced, pushRoomMilliseconds)) - 1] as Promise<Room>
    const { lines, received } = await receive(body, splitter(limits), wait, pushGraceMilliseconds)
    for (const room of await Promise.all(rooms)) room(received)
    try {
      return await work(lines)
    } finally {
      for (const line of lines) if (line !== undefined) letGo(line)
    }
  } catch (error) {
    throw error instanceof Problem && !raw.complete && !raw.destroyed ? linger(raw, error) : error
  } finally {
    // One may still be waited for, for a client that is gone.
    for (const waited of rooms) waited.then((room) => room(0)).catch(() => {})
    patientSockets.delete(socket)
    socket.setTimeout(usualTimeout)
  }
}

function mediaType({ headers }: FastifyRequest): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

type Splitter = ReturnType<typeof splitLines>

type Received = { lines: (Line | undefined)[]; received: number }

/** More than the first part of a body is read when there is room for the rest. */
function receive(
  payload: Readable,
  splitter: Splitter,
  wait: () => Promise<unknown>,
  graceMilliseconds: number,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let received = 0
    let isAdmitted = false
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
        if (received > mostBytes) throw tooLarge()
        splitter.take(chunk)
        if (received > firstBytes && !isAdmitted) waitForRoom()
      })
    }
    function waitForRoom(): void {
      isAdmitted = true
      payload.pause()
      wait().then(() => payload.resume(), fail)
    }
    function finish(): void {
      attempt(() => {
        const lines = splitter.end()
        stop()
        resolve({ lines, received })
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
    if (milliseconds > graceMilliseconds + (received() / leastBytesPerSecond) * 1000) fail(tooSlow())
  }, checkMilliseconds)
  return () => clearInterval(timer)
}

/** A client that hears no before it has sent all would see a broken connection instead: what it still sends is dropped. */
function linger(payload: IncomingMessage, problem: Problem): Problem {
  payload.on('error', () => {})
  payload.resume()
  const timer = setTimeout(() => payload.socket.destroy(), lingerMilliseconds)
  payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  return problem
}

function tooLarge(): Problem {
  return new Problem('body_too_large', {
    detail: `One push takes at most ${mostBytes / 1024 / 1024} MiB, and nothing of this one was written. Split it ("split -C ${mostBytes / 1024 / 1024}m FILE part-" keeps lines whole) and push the parts one after the other, or let "catalog import" do it.`,
  })
}

function tooSlow(): Problem {
  return new Problem('request_timeout', {
    detail: `A push may take its time, but not arrive at less than ${leastBytesPerSecond / 1024} KiB a second for long. Nothing of this one was written; send smaller parts.`,
  })
}
