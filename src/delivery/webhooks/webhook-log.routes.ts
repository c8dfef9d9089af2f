import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { requestRetries } from './request-retries.ts'
import { WebhookId, WebhookQuerySchema } from './webhook.schema.ts'
import { requireWebhook } from './webhook.sql.ts'
import {
  WebhookAttemptPageSchema,
  WebhookAttemptQuerySchema,
  WebhookParkedPageSchema,
  WebhookParkedRetrySchema,
  WebhookRetriedSchema,
} from './webhook-log.schema.ts'
import { listAttempts, listFailedDeliveries } from './webhook-log.sql.ts'

const tags = ['Webhooks']
const scope = 'webhooks:manage'

/** Delivery attempts and failed deliveries of a webhook. */
export function webhookLogRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/attempts',
      {
        config: { scope, problems: ['not_found', 'invalid_page'] },
        schema: {
          tags,
          operationId: 'listWebhookAttempts',
          summary: 'List delivery attempts',
          description:
            'Returns the attempts of the last 30 days, newest first: at most the latest 10,000 of the webhook.',
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
          summary: 'List failed deliveries',
          description:
            'Returns the events whose retries are used up. An event stays in the list until it is delivered.',
          params: WebhookId,
          querystring: WebhookQuerySchema,
          response: { 200: ref(WebhookParkedPageSchema) },
        },
      },
      async (request) => {
        const { caller, params, query } = request
        await requireWebhook(database, caller.project_id, params.id)
        const page = readPage(query)
        return pageEnvelope(
          request,
          page,
          await listFailedDeliveries(database, caller.project_id, params.id, page),
        )
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
          summary: 'Retry failed deliveries',
          description:
            'Retries all failed deliveries, or those with the given ids, once each. Delivered events leave the list.',
          params: WebhookId,
          body: WebhookParkedRetrySchema,
          response: { 200: ref(WebhookRetriedSchema) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, params, body } = request
          return { status: 200, body: await requestRetries(writable, caller, params.id, body.ids) }
        }),
    )
  }
}
