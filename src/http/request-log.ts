import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import pino from 'pino'
import pretty from 'pino-pretty'

const tokenShape = /cat_[0-9A-Za-z]{36}/g
// Not the shape of a token, with or without its prefix: one that was sent as a request id stays out of the logs.
const acceptableRequestId = /^(?![0-9A-Za-z]{36}$)[0-9A-Za-z-]{8,64}$/

/** A token that strayed into an address or a message is not repeated. */
export function hideTokens(text: string): string {
  return text.includes('cat_') ? text.replace(tokenShape, 'cat_[hidden]') : text
}

/** The client's request id where it is a plain one, so that its logs and ours can be joined. */
export function requestId(raw: Pick<IncomingMessage, 'headers'>): string {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID()
}

/** A percent-encoded token is one too. */
function decoded(url: string): string {
  if (!url.includes('%')) return url
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

export const logSerializers = {
  req: (request: { method: string; url: string; ip?: string }) => ({
    method: request.method,
    url: hideTokens(decoded(request.url)),
    ip: request.ip,
  }),
}

/** Logs go to standard error: JSON for machines, lines for a person at a terminal. */
export function logStream(): pino.DestinationStream {
  if (!process.stderr.isTTY) return pino.destination(2)
  return pretty({ destination: 2, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' })
}
