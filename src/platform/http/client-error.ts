import { randomUUID } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { http } from './node-http.ts'
import { problemBody } from './problem-response.ts'
import { Problem, type ProblemCode, problems } from './problems.ts'

const parserCodes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

// The answer that is under way on a socket: what else arrives there must not be answered ahead of it.
const answers = new WeakMap<Socket, ServerResponse>()

/** Sockets whose request keeps its own time: the server's limit for a whole request is not for them. */
export const socketsWithoutTimeout = new WeakSet<Socket>()

/** Keeps watch on what Node answers, or would leave unanswered, before Fastify sees it. */
export function watchSockets(server: HttpServer): void {
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      answers.set(socket, response)
      response.once('close', () => answers.delete(socket))
    })
  server.on('connect', (_request, socket) =>
    answerOnSocket(socket as Socket, new Problem('method_not_allowed')),
  )
}

// Without a finished handshake (plain HTTP on a TLS port, too old a client) there is no channel to answer through.
const handshakeCodes = /^(ERR_SSL_|ERR_TLS_|EPROTO)/

/** What Node's parser rejects never becomes a request; it still deserves an answer. */
export function respondToClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socketsWithoutTimeout.has(socket)) return
  const answer = answers.get(socket)
  // Nothing more of its body will arrive, and whoever reads it must hear of that.
  const isCutOff = answer !== undefined && !answer.req.complete
  const broken = error.code === 'ECONNRESET' || handshakeCodes.test(error.code ?? '')
  if (broken || !socket.writable || (isCutOff && answer.headersSent)) socket.destroy()
  else if (answer !== undefined && !isCutOff && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT')
    answer.once('finish', () => socket.end())
  else {
    answerOnSocket(socket, new Problem(parserCodes[error.code ?? ''] ?? 'malformed_request'))
    if (isCutOff) socket.destroySoon()
  }
}

function answerOnSocket(socket: Socket, problem: Problem): void {
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
