import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import type { Config } from '../config.ts'
import { answerProblem } from './answer-problem.ts'
import { refuseBadHost } from './base-url.ts'
import { answerClientError } from './client-error.ts'
import { acceptJson } from './json-body.ts'
import { Problem } from './problems.ts'
import { parseQueryString } from './query-string.ts'
import { logSerializers, logStream, requestId } from './request-log.ts'
import { compileValidator } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Configured address for links; undefined means: the one that the client used. */
    baseUrl: string | undefined
    /** Set when the process was asked to stop: first /readyz says so, then every answer closes its connection. */
    leaving: 'announced' | 'closing connections' | undefined
  }
}

export type Server = ReturnType<typeof createServer>

const bodyLimitBytes = 1024 * 1024

/** Fastify with its lenient defaults set right. */
export function createServer(config: Pick<Config, 'baseUrl' | 'logLevel'>) {
  const app = fastify({
    logger: { level: config.logLevel, serializers: logSerializers, stream: logStream() },
    genReqId: requestId,
    bodyLimit: bodyLimitBytes,
    connectionTimeout: 30_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    // Node looks for overdue requests only this often, and would answer a missing Host itself, without a body.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    // While stopping, what arrives on an open connection is still answered; the answer closes the connection.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) =>
      answerProblem(error, request, reply.header('x-request-id', request.id)),
    routerOptions: {
      ignoreTrailingSlash: true,
      // Header size bounds the address; a long SKU in a path is no error by itself.
      maxParamLength: 16_384,
      querystringParser: parseQueryString,
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorate('baseUrl', config.baseUrl)
  app.decorate('leaving', undefined)
  app.decorateReply('shownVersion', undefined)
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler(answerProblem)
  app.server.on('checkExpectation', (request, response) => {
    request.headers.expect = 'refused'
    app.routing(request, response)
  })
  acceptJson(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (app.leaving === 'closing connections') reply.header('connection', 'close')
    if (request.headers.expect === 'refused') throw new Problem('expectation_failed')
    refuseBadHost(request)
  })
  return app
}
