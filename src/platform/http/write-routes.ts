import type { FastifyInstance, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify'

// Hooks for writes only: a hook on all routes would slow down every read.

export function isWriteRoute({ method }: RouteOptions): boolean {
  return [method].flat().some((one) => one !== 'GET' && one !== 'HEAD')
}

/** Runs before the body of a write is read. */
export function beforeBodies(app: FastifyInstance, hook: preParsingHookHandler): void {
  app.addHook('onRoute', (route) => {
    if (!isWriteRoute(route)) return
    route.preParsing = [hook, ...([route.preParsing ?? []].flat() as preParsingHookHandler[])]
  })
}

/** Runs after the response of a successful write. */
export function afterWrites(app: FastifyInstance, work: (request: FastifyRequest) => void): void {
  app.addHook('onRoute', (route) => {
    if (!isWriteRoute(route)) return
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        if (reply.statusCode < 300) work(request)
        done()
      },
    ]
  })
}
