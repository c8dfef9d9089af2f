import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { beforeBodies } from '../write-routes.ts'

/** Sends `100 Continue` only after authentication, and rejects any other expectation. */
export function handleExpectations(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>()

  app.server.on('checkContinue', (request, response) => {
    waiting.add(request)
    app.routing(request, response)
  })
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  // After authentication. If a response is sent first, Node closes the connection, because the body may still follow.
  beforeBodies(app, ({ raw }, reply, payload, done) => {
    if (waiting.has(raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}

/** `100-continue` is the only supported expectation. */
export function rejectExpectation({ raw: { headers } }: Pick<FastifyRequest, 'raw'>): void {
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw new Problem('expectation_failed')
}
