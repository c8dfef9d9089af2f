import type { IncomingMessage } from 'node:http'
import { requestLimits } from '../../limits/requests.ts'
import { Problem } from '../problems.ts'

// A body that stays slower than this for longer than the limit is rejected.
const checksOfPace = 60

/** Calls `fail` when the body stays too slow. Time in which the service does not read does not count. */
export function watchPace(
  isReading: () => boolean,
  graceMilliseconds: number,
  received: () => number,
  fail: (slow: Problem) => void,
): () => void {
  let milliseconds = 0
  const checkMilliseconds = graceMilliseconds / checksOfPace
  const timer = setInterval(() => {
    if (isReading()) milliseconds += checkMilliseconds
    if (milliseconds > graceMilliseconds + (received() / requestLimits.pushPaceBytes) * 1000) fail(tooSlow())
  }, checkMilliseconds)
  return () => clearInterval(timer)
}

/**
 * Discards the rest of a body if its request is rejected. Otherwise a client that is still sending would see a broken connection
 * instead of the response.
 */
export async function readRestIfRejected<Result>(
  raw: IncomingMessage,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && !raw.complete && !raw.destroyed) discardRest(raw)
    throw error
  }
}

function discardRest(payload: IncomingMessage): void {
  payload.on('error', () => {})
  payload.resume()
  const timer = setTimeout(() => payload.destroy(), requestLimits.lingerMilliseconds)
  payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
}

function tooSlow(): Problem {
  return new Problem('request_timeout', {
    detail: `The body arrived at less than ${requestLimits.pushPaceBytes / 1024} KiB per second for too long. Nothing of it was written. Use a faster connection, or send smaller parts.`,
  })
}
