import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Returns whether it responds to the request, or will pass it on to `app.routing`. */
type ServeFirst = (raw: IncomingMessage, response: ServerResponse) => boolean

declare module 'fastify' {
  interface FastifyInstance {
    /** Offers every request to this function before it is routed. */
    serveFirst(serve: ServeFirst): void
  }
}

export function acceptRequests(app: FastifyInstance): void {
  let first: ServeFirst = () => false
  app.decorate('serveFirst', (serve) => {
    first = serve
  })
  app.server.off('request', app.routing)
  app.server.on('request', (raw, response) => {
    if (!first(raw, response)) app.routing(raw, response)
  })
}
