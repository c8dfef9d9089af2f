import type { IncomingMessage } from 'node:http'
import { Problem } from './problems.ts'
import type { Server } from './server.ts'

/** A client that asks before it sends its body is told to go on only when it may; any other expectation is refused. */
export function meetExpectations(app: Server): void {
  const waiting = new WeakSet<IncomingMessage>()
  const unmet = new WeakSet<IncomingMessage>()

  app.server.on('checkContinue', (request, response) => {
    waiting.add(request)
    app.routing(request, response)
  })
  app.server.on('checkExpectation', (request, response) => {
    unmet.add(request)
    app.routing(request, response)
  })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (unmet.has(raw)) throw new Problem('expectation_failed')
    done()
  })
  // After authentication. Where an answer comes first, Node closes the connection, because the body may still follow.
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (waiting.has(raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}
