import type { FastifyInstance, FastifyPluginAsync } from 'fastify'

/** Adds routes to the existing context. `register` would create one per plugin, which takes a third of the startup time of the API. */
export async function addRoutes(app: FastifyInstance, ...all: FastifyPluginAsync[]): Promise<void> {
  for (const routes of all) await routes(app, {})
}

/** Puts routes into their own context, because they have their own hooks or body parsers. */
export function isolateRoutes(routes: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    await app.register(routes)
  }
}
