import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../platform/database/database.ts'
import { pageEnvelope, readPage } from '../platform/http/response/page-envelope.ts'
import { OperatorWebhookPageSchema, OperatorWebhookQuerySchema } from './operator-webhook.schema.ts'
import { listUnhealthyWebhooks } from './operator-webhook.sql.ts'

/** Failing and disabled webhooks of all projects, for the admin area. */
export function operatorWebhookRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks',
      { schema: { querystring: OperatorWebhookQuerySchema, response: { 200: OperatorWebhookPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listUnhealthyWebhooks(database, request.query.state, page))
      },
    )
  }
}
