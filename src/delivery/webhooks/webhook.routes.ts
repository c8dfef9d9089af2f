import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { actorOfCaller, type Caller } from '../../access/tokens/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage, requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import type { DialRules } from '../../platform/outbound/check-address.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { withEncryptedSecret } from './encrypted-secret-form.ts'
import { changeWebhook, createWebhook, deleteWebhook } from './manage-webhook.ts'
import {
  WebhookCreateSchema,
  WebhookId,
  WebhookPageSchema,
  WebhookPatchSchema,
  WebhookQuerySchema,
  WebhookSchema,
  WebhookWithSecretSchema,
} from './webhook.schema.ts'
import { listWebhooks, requireWebhook } from './webhook.sql.ts'

const tags = ['Webhooks']
const scope = 'webhooks:manage'
export function webhookRoutes(
  database: Database,
  cipher: SecretCipher,
  rules: DialRules,
): FastifyPluginAsyncTypebox {
  const tools = { cipher, rules }

  return async (app) => {
    app.get(
      '/webhooks',
      {
        config: { scope, problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listWebhooks',
          summary: 'List webhooks',
          description: 'Returns all webhooks of the project (at most 20) with their delivery status.',
          querystring: WebhookQuerySchema,
          response: { 200: ref(WebhookPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listWebhooks(database, request.caller.project_id, page))
      },
    )

    app.get(
      '/webhooks/:id',
      {
        config: { scope, problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getWebhook',
          summary: 'Get a webhook and its delivery status',
          description: 'Includes its state, its lag and the results of the latest attempts.',
          params: WebhookId,
          response: { 200: ref(WebhookSchema) },
        },
      },
      async ({ caller, params }) => requireWebhook(database, caller.project_id, params.id),
    )

    app.post(
      '/webhooks',
      {
        config: {
          scope,
          problems: ['too_many_webhooks', 'feed_restarted', 'cursor_expired', ...repeatProblems],
        },
        schema: {
          tags,
          operationId: 'createWebhook',
          summary: 'Create a webhook',
          description:
            "Each event is delivered at least once, in order per object, and signed according to Standard Webhooks. The response is the only one that includes the secret. The webhook receives the events that its creator's scopes can read, even after the creator's token has ended.",
          body: WebhookCreateSchema,
          response: { 201: withLocation(ref(WebhookWithSecretSchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(
          database,
          request,
          reply,
          async (writable) => {
            const webhook = await createWebhook(writable, tools, creatorOf(request.caller), request.body)
            return { status: 201, location: `${requestUrl(request)}/${webhook.id}`, body: webhook }
          },
          undefined,
          withEncryptedSecret(cipher, request.caller.project_id),
        ),
    )

    app.patch(
      '/webhooks/:id',
      {
        config: { scope, problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'patchWebhook',
          summary: 'Change the URL or the event types of a webhook',
          description:
            'Fields that you leave out keep their values. A change applies to every event delivered from then on. Failed events are retried at once. To change the URL, you need the read scopes that the webhook has from its creator.',
          params: WebhookId,
          body: WebhookPatchSchema,
          response: { 200: ref(WebhookSchema) },
        },
      },
      async ({ caller, params, body }) => changeWebhook(database, tools, creatorOf(caller), params.id, body),
    )

    app.delete(
      '/webhooks/:id',
      {
        config: { scope, problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook',
          description: 'Stops deliveries and deletes the attempts and failed deliveries of the webhook.',
          params: WebhookId,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params }, reply) => {
        await deleteWebhook(database, actorOfCaller(caller), caller.project_id, params.id)
        reply.code(204)
        return null
      },
    )
  }
}

function creatorOf(caller: Caller) {
  return { projectId: caller.project_id, scopes: caller.scopes, actor: actorOfCaller(caller) }
}
