import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import { loggedUrl } from './request-log.ts'

const { symbols } = pino
type PinoParts = {
  [symbols.chindingsSym]: string
  [symbols.streamSym]: pino.DestinationStream
  isLevelEnabled(level: string): boolean
}

/**
 * The same as pino's `child`, which takes much longer. A request ID needs no escapes. Nothing may be derived from this logger for every
 * request: an object that becomes a prototype slows down the engine.
 */
export function requestLogger(log: FastifyBaseLogger, { reqId }: { reqId?: string }): FastifyBaseLogger {
  const own = Object.create(log)
  own[symbols.chindingsSym] += `,"reqId":"${reqId}"`
  return own
}

/** What log lines show of a request. */
export type LoggedRequest = { method: string; url: string; ip: string | undefined }

/** Logs one line per request when the response is sent. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode, elapsedTime } = reply
    if (error === null || error === undefined) logCompleted(request.log, request, statusCode, elapsedTime)
    else
      request.log.error(
        { req: request, res: reply, responseTime: elapsedTime, err: error },
        'request errored',
      )
  }
}

/** The same line as pino's `info`, which takes longer. */
export function logCompleted(
  log: FastifyBaseLogger,
  { method, url, ip }: LoggedRequest,
  statusCode: number,
  milliseconds: number,
): void {
  const own = log as unknown as PinoParts
  if (!own.isLevelEnabled('info')) return
  const address = ip === undefined ? '' : `,"ip":${JSON.stringify(ip)}`
  const request = `{"method":"${method}","url":${JSON.stringify(loggedUrl(url))}${address}}`
  own[symbols.streamSym].write(
    `{"level":30,"time":${Date.now()}${own[symbols.chindingsSym]},"req":${request},"res":{"statusCode":${statusCode}},"responseTime":${milliseconds},"msg":"request completed"}\n`,
  )
}

/** Logs one line when the client disconnects before that. */
export function logAborted(log: FastifyBaseLogger, req: LoggedRequest): void {
  log.info({ req }, 'request aborted')
}
