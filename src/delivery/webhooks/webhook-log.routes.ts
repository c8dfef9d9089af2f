import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { retryParked } from './retry-parked.ts'
import {
  WebhookAttemptPageSchema,
  WebhookAttemptQuerySchema,
  WebhookId,
  WebhookParkedPageSchema,
  WebhookParkedRetrySchema,
  WebhookQuerySchema,
  WebhookRetriedSchema,
} from './webhook.schema.ts'
import { requireWebhook } from './webhook.sql.ts'
import { listAttempts, listParked } from './webhook-log.sql.ts'

const tags = ['Webhooks']
const scope = 'webhooks:manage'

/** What became of the deliveries of a webhook. */
export function webhookLogRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/attempts',
      {
        config: { scope, problems: ['not_found', 'invalid_page'] },
        schema: {
          tags,
          operationId: 'listWebhookAttempts',
          summary: 'The tries to deliver events',
          description: 'Those of the last 30 days, the newest first, and of each webhook the last 10,000.',
          params: WebhookId,
          querystring: WebhookAttemptQuerySchema,
          response: { 200: ref(WebhookAttemptPageSchema) },
        },
      },
      async (request) => {
        const { caller, params, query } = request
        await requireWebhook(database, caller.project_id, params.id)
        const page = readPage(query)
        const found = await listAttempts(database, caller.project_id, params.id, query.failed, page)
        return pageEnvelope(request, page, found)
      },
    )

    app.get(
      '/webhooks/:id/parked',
      {
        config: { scope, problems: ['not_found', 'invalid_page'] },
        schema: {
          tags,
          operationId: 'listParkedEvents',
          summary: 'Events that were given up',
          description: 'They were tried as often as the plan has it. They stay until they are delivered.',
          params: WebhookId,
          querystring: WebhookQuerySchema,
          response: { 200: ref(WebhookParkedPageSchema) },
        },
      },
      async (request) => {
        const { caller, params, query } = request
        await requireWebhook(database, caller.project_id, params.id)
        const page = readPage(query)
        return pageEnvelope(request, page, await listParked(database, caller.project_id, params.id, page))
      },
    )

    app.post(
      '/webhooks/:id/parked/retry',
      {
        preValidation: allowNoBody,
        config: { scope, problems: ['not_found', 'webhook_disabled', ...repeatProblems] },
        schema: {
          tags,
          operationId: 'retryParkedEvents',
          summary: 'Try parked events again',
          description:
            'All of them, or those that are named, once each. What is delivered is parked no more.',
          params: WebhookId,
          body: WebhookParkedRetrySchema,
          response: { 200: ref(WebhookRetriedSchema) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, params, body } = request
          return { status: 200, body: await retryParked(writable, caller, params.id, body.ids) }
        }),
    )
  }
}
