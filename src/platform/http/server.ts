import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import { requestLimits } from '../limits/requests.ts'
import type { TimeLimits } from '../limits/times.ts'
import { handleExpectations, rejectExpectation } from './body/expect-continue.ts'
import { acceptJson } from './body/json-body.ts'
import { forgetResponse, respondToClientError, watchSockets } from './client-error.ts'
import { sendProblem } from './problem-response.ts'
import { parseQueryString } from './query/query-string.ts'
import { openSites } from './request/base-url.ts'
import { clientAddress } from './request/client-network.ts'
import { rejectBadRequestLine } from './request/request-line.ts'
import { compileValidator } from './request/validation.ts'
import { logAborted, RequestLog, requestLogger } from './request-lines.ts'
import { requestId } from './request-log.ts'
import { whenClosed } from './response/client-disconnect.ts'
import { sharedSerializers } from './response/serializers.ts'
import { acceptRequests } from './serve-first.ts'
import type { Certificate } from './tls/certificate.ts'
import { strictTransport, transport } from './tls/transport.ts'
import { setTraceHeader } from './trace-context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response can have any length: its client must keep a minimum pace instead of a time limit. */
    keepsPace?: boolean
    /** The response waits for events, or streams them while the client stays connected. */
    waits?: boolean
  }
  interface FastifyInstance {
    /** Set when the process is stopping: first /readyz reports it, then every response closes its connection. */
    leaving: 'announced' | 'closing connections' | undefined
    timeLimits: TimeLimits
    /** Headers of every response. */
    commonHeaders: Record<'x-content-type-options' | 'vary', string>
  }
}

export type Server = ReturnType<typeof createServer>

/** The base URL that clients use, and whether a proxy terminates TLS. */
type ServerSettings = { baseUrl?: string; behindProxy?: boolean }

/** Fastify with strict settings instead of its lenient defaults. */
export function createServer(
  { baseUrl, behindProxy = false }: ServerSettings,
  log: FastifyBaseLogger,
  limits: TimeLimits,
  certificate?: Certificate,
) {
  const app = fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    genReqId: requestId,
    childLoggerFactory: requestLogger,
    bodyLimit: requestLimits.bodyBytes,
    connectionTimeout: limits.idleMilliseconds,
    requestTimeout: limits.requestMilliseconds,
    keepAliveTimeout: limits.keepAliveMilliseconds,
    ...transport(limits, certificate),
    schemaController: {
      // Fastify's types support only Ajv's compiler.
      compilersFactory: {
        buildValidator: () => compileValidator as never,
        buildSerializer: sharedSerializers(),
      },
    },
    // Only the nearest hop: entries further left in X-Forwarded-For come from the client.
    trustProxy: behindProxy ? (_address: string, hop: number) => hop === 0 : false,
    // While stopping, requests on open connections still get a response, which closes the connection.
    return503OnClosing: false,
    clientErrorHandler: respondToClientError,
    frameworkErrors: (error, request, reply) => {
      setTraceHeader(request, reply)
      sendProblem(error, request, reply.header('x-request-id', request.id))
    },
    // The absolute form of a request target contains an authority that links must not repeat.
    rewriteUrl: ({ url = '/' }) => (url[0] === '/' ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/')),
    routerOptions: {
      ignoreTrailingSlash: true,
      // The header size limits the URL; a long SKU in a path is not an error by itself.
      maxParamLength: requestLimits.pathParameterCharacters,
      querystringParser: parseQueryString,
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorate('baseUrl', baseUrl)
  app.decorate('leaving', undefined)
  app.decorate('timeLimits', limits)
  app.decorateReply('shownVersion', undefined)
  app.setErrorHandler(sendProblem)
  watchSockets(app.server)
  app.addHook('onRequestAbort', (request, done) => {
    logAborted(request.log, request)
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    forgetResponse(reply.raw)
    done()
  })
  acceptJson(app)
  app.addHook('onSend', hangUpOnSlowReaders)
  app.decorate('commonHeaders', {
    'x-content-type-options': 'nosniff',
    // On every response, because a cache of the uncompressed response must also know that there is another form.
    vary: 'accept-encoding',
  })
  const sites = openSites({
    // Without a base URL, the service listens on loopback and accepts only names of this machine.
    isPrivate: baseUrl === undefined && !behindProxy,
    behindProxy,
    headersOf: strictTransport,
  })
  app.decorate('sites', sites)
  app.decorate('addressOf', clientAddress(behindProxy))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(app.commonHeaders)
    setTraceHeader(request, reply)
    if (app.leaving === 'closing connections') reply.header('connection', 'close')
    rejectBadRequestLine(request)
    rejectExpectation(request)
    const { headers } = sites.require(request)
    if (headers !== undefined) reply.headers(headers)
    done()
  })
  handleExpectations(app)
  acceptRequests(app)
  return app
}

const alwaysBufferedBytes = 64 * 1024

/** A client that reads a response slowly occupies its memory. A small response fits into the system's buffers. */
function hangUpOnSlowReaders(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: () => void,
): void {
  const size =
    typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : Number.POSITIVE_INFINITY
  if (size > alwaysBufferedBytes && payload !== null) {
    const { responseMilliseconds } = request.server.timeLimits
    const { keepsPace = false, waits = false } = request.routeOptions.config
    const isPaced = (keepsPace || waits) && reply.statusCode < 300
    const timer = isPaced
      ? // Half the time: what the system buffers counts as taken in the first of two.
        setInterval(waits ? hangUpUnlessWaiting(reply) : hangUpUnlessTaken(reply), responseMilliseconds / 2)
      : setTimeout(() => reply.raw.destroy(), responseMilliseconds)
    whenClosed(reply, () => clearTimeout(timer))
  }
  done()
}

/** Closes the connection of a client that has read almost nothing since the last call. */
function hangUpUnlessTaken({ raw }: FastifyReply): () => void {
  let before = raw.socket?.bytesWritten ?? 0
  return () => {
    const written = raw.socket?.bytesWritten ?? 0
    if (written - before < alwaysBufferedBytes && !raw.writableFinished) raw.destroy()
    before = written
  }
}

/** Closes the connection of a client that has read nothing since the last call although data is waiting. */
function hangUpUnlessWaiting({ raw }: FastifyReply): () => void {
  const taken = () => (raw.socket?.bytesWritten ?? 0) - raw.writableLength
  let before = -1
  return () => {
    if (raw.writableLength > 0 && taken() === before) raw.destroy()
    before = taken()
  }
}
