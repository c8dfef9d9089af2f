import type { FastifyInstance, preParsingHookHandler } from 'fastify'

/** Runs before the body of a write is read. A hook on all routes would slow down every read. */
export function beforeBodies(app: FastifyInstance, hook: preParsingHookHandler): void {
  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD')
    if (!isRead) route.preParsing = [hook, ...([route.preParsing ?? []].flat() as preParsingHookHandler[])]
  })
}
