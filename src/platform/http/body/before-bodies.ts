import type { FastifyInstance, preParsingHookHandler } from 'fastify'

/** Runs before the body of a write is read. A hook for all routes would make every read pay for it. */
export function beforeBodies(app: FastifyInstance, hook: preParsingHookHandler): void {
  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD')
    if (!isRead) route.preParsing = [hook, ...([route.preParsing ?? []].flat() as preParsingHookHandler[])]
  })
}
