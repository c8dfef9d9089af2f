import { randomUUID } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { http } from './node-http.ts'
import { type ProblemCode, problems } from './problem-catalog.ts'
import { problemBody } from './problem-response.ts'
import { Problem } from './problems.ts'

const parserCodes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

// The latest response on a socket. While it is open, nothing else that arrives there is responded to before it.
const latestResponses = new WeakMap<Socket, ServerResponse>()

/** Sockets of requests with their own time limit, which the server's limit does not apply to. */
export const socketsWithoutTimeout = new WeakSet<Socket>()

/** Tracks responses, so that errors that Node detects before Fastify can be responded to. */
export function watchSockets(server: HttpServer): void {
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      latestResponses.set(socket, response)
    })
  server.on('connect', (_request, socket) =>
    respondOnSocket(socket as Socket, new Problem('method_not_allowed')),
  )
}

// Without a complete handshake (plain HTTP on a TLS port, an outdated client), no response is possible.
const handshakeCodes = /^(ERR_SSL_|ERR_TLS_|EPROTO)/

/** Releases a response that was sent, because its socket can stay open without requests for long. */
export function forgetResponse(response: ServerResponse): void {
  const { socket } = response.req
  if (latestResponses.get(socket) === response) latestResponses.delete(socket)
}

/** Responds to input that Node's parser rejects, which never becomes a request. */
export function respondToClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socketsWithoutTimeout.has(socket)) return
  const latest = latestResponses.get(socket)
  const openResponse = latest?.closed === false ? latest : undefined
  // The rest of its body will not arrive, so its reader must fail.
  const isCutOff = openResponse !== undefined && !openResponse.req.complete
  const broken = error.code === 'ECONNRESET' || handshakeCodes.test(error.code ?? '')
  if (broken || !socket.writable || (isCutOff && openResponse.headersSent)) socket.destroy()
  else if (openResponse !== undefined && !isCutOff && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT')
    openResponse.once('finish', () => socket.end())
  else {
    respondOnSocket(socket, new Problem(parserCodes[error.code ?? ''] ?? 'malformed_request'))
    if (isCutOff) socket.destroySoon()
  }
}

function respondOnSocket(socket: Socket, problem: Problem): void {
  const { status } = problems[problem.problemCode]
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
