import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { OperatorWebhookPageSchema, OperatorWebhookQuerySchema } from './operator-webhook.schema.ts'
import { listTroubledWebhooks } from './operator-webhook.sql.ts'

/** Webhooks that need somebody, on the operator's desk. */
export function operatorWebhookRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks',
      { schema: { querystring: OperatorWebhookQuerySchema, response: { 200: OperatorWebhookPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listTroubledWebhooks(database, request.query.state, page))
      },
    )
  }
}
