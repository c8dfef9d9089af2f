import type { FastifyInstance, FastifyPluginAsync } from 'fastify'

/** Adds routes to the context that is there: `register` makes one for each, which takes a third of the time of building the API. */
export async function addRoutes(app: FastifyInstance, ...all: FastifyPluginAsync[]): Promise<void> {
  for (const routes of all) await routes(app, {})
}

/** Routes in a context of their own, because they have hooks or read bodies that others do not. */
export function isolateRoutes(routes: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    await app.register(routes)
  }
}
