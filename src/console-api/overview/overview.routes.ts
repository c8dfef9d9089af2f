import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listActivity } from '../../access/usage/activity.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { countActivity } from './activity.sql.ts'
import { ActivitySchema, PeopleSchema } from './overview.schema.ts'

/** Data of the project overview that no list provides. */
export function overviewRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/overview/activity', { schema: { response: { 200: ActivitySchema } } }, async ({ caller }) =>
      countActivity(database, caller.project_id),
    )

    app.get('/overview/people', { schema: { response: { 200: PeopleSchema } } }, async ({ caller }) => ({
      results: await listActivity(database, caller.project_id),
    }))
  }
}
