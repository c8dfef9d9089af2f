import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import pretty from 'pino-pretty'

// A request id must not look like a token, with or without its prefix: a token that was sent as a request id stays out of the logs.
const acceptableRequestId = /^(?![0-9A-Za-z]{36}$)[0-9A-Za-z-]{8,64}$/

/** The client's request id where it is a plain one, so that its logs and ours can be joined. */
export function requestId(raw: Pick<IncomingMessage, 'headers'>): string {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID()
}

// In an address a token is hidden also without its prefix, which anybody can put back.
const secretInAddress = /cat_[0-9A-Za-z]{20}|[0-9A-Za-z]{30}/i
const needsCare = new RegExp(`[%+]|${secretInAddress.source}`, 'i')
const mostEncodings = 5

/** An address as it was sent, without the parts that hold a token in whatever encoding, or that cannot be read at all. */
export function loggedUrl(url: string): string {
  if (!needsCare.test(url)) return url
  return url
    .split(/([/?&=;#])/)
    .map(shownPart)
    .join('')
}

function shownPart(part: string): string {
  const text = isDecodable(part) ? decodedThroughout(part) : undefined
  if (text === undefined) return '[malformed]'
  // A person who copies the address would leave these characters out.
  const plain = text.replace(/[^\x21-\x7e]|\+/g, '')
  return secretInAddress.test(plain) ? '[hidden]' : part
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** Decodes bytes that were encoded several times; undefined where there is no end to it. */
function decodedThroughout(part: string): string | undefined {
  let text = part
  for (let round = 0; round < mostEncodings; round += 1) {
    const inner = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (inner === text) return text
    text = inner
  }
  return undefined
}

const logSerializers = {
  req: (request: { method: string; url: string; ip?: string }) => ({
    method: request.method,
    url: loggedUrl(request.url),
    ip: request.ip,
  }),
}

/** Logs go to standard error: JSON for machines, lines for a person at a terminal. */
export function openLog(level: string): FastifyBaseLogger {
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' })
    : pino.destination(2)
  return pino({ level, serializers: logSerializers }, stream)
}

/** One line for each request, when it is answered. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const told = { req: request, res: reply, responseTime: reply.elapsedTime }
    if (error) request.log.error({ ...told, err: error }, 'request errored')
    else request.log.info(told, 'request completed')
  }
}

/** Or when its client has hung up before. */
export function logAborted(request: FastifyRequest, done: () => void): void {
  request.log.info({ req: request }, 'request aborted')
  done()
}
