import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStoredProviders } from '../../catalog/ai-providers/ai-provider.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { RunModelsSchema } from './run-models.schema.ts'

/** More than the providers of a project and the offers of the operator. */
const mostProviders = 100

/** The providers with their models and prices. The API lists them, with all settings, only to managers. */
export function runModelRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/run-models',
      { config: { scope: 'ai:run' }, schema: { response: { 200: RunModelsSchema } } },
      async ({ caller }) => {
        const page = { number: 1, size: mostProviders }
        const { results } = await listStoredProviders(database, caller.project_id, page)
        return {
          results: results.map(({ name, currency, models, state }) => ({ name, currency, models, state })),
        }
      },
    )
  }
}
