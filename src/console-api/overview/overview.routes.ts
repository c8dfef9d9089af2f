import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { countActivity } from './activity.sql.ts'
import { ActivitySchema } from './overview.schema.ts'

/** Data of the project overview that no list provides. */
export function overviewRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/overview/activity', { schema: { response: { 200: ActivitySchema } } }, async ({ caller }) =>
      countActivity(database, caller.project_id),
    )
  }
}
