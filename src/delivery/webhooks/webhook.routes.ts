import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { tokenLimits } from '../../access/limits.ts'
import { authorOf, type Caller } from '../../access/tokens/caller.ts'
import { readOverlap } from '../../access/tokens/overlap.ts'
import type { Database, Writable } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage, requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { subscriptionLimits } from '../limits.ts'
import { disableByHand } from './disable-webhook.ts'
import { withEncryptedSecret } from './encrypted-secret-form.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  enableWebhook,
  rotateWebhook,
} from './manage-webhook.ts'
import { replayWebhook } from './replay-webhook.ts'
import { testWebhook } from './test-webhook.ts'
import {
  WebhookCreateSchema,
  WebhookEnableSchema,
  WebhookId,
  WebhookPageSchema,
  WebhookPatchSchema,
  WebhookQuerySchema,
  WebhookReplaySchema,
  WebhookRotateSchema,
  WebhookSchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from './webhook.schema.ts'
import { listWebhooks, requireWebhook } from './webhook.sql.ts'
import type { WebhookSender } from './webhook-sender.ts'

const tags = ['Webhooks']
const scope = 'webhooks:manage'
/** Each may wait for its receiver as long as a delivery may. */
const testsAtOnce = {
  most: subscriptionLimits.tests,
  maxPerProject: subscriptionLimits.testsOfProject,
  patienceSeconds: subscriptionLimits.testWaitSeconds,
  maxWaiting: subscriptionLimits.waitingTests,
}

export function webhookRoutes(
  database: Database,
  cipher: SecretCipher,
  sender: WebhookSender,
): FastifyPluginAsyncTypebox {
  const tools = { cipher, rules: sender.rules }
  const tests = limitConcurrency(testsAtOnce)

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
            "Each event is delivered at least once, in order per object, and signed according to Standard Webhooks. The response is the only one that includes the secret. The webhook receives the events that its creator's scopes can read, also after the creator's token has ended.",
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
            const webhook = await createWebhook(writable, tools, makerOf(request.caller), request.body)
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
      async ({ caller, params, body }) => changeWebhook(database, tools, makerOf(caller), params.id, body),
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
        await deleteWebhook(database, actorOf(caller), caller.project_id, params.id)
        reply.code(204)
        return null
      },
    )

    app.post(
      '/webhooks/:id/test',
      {
        config: { scope, problems: ['not_found', 'webhooks_off'] },
        schema: {
          tags,
          operationId: 'testWebhook',
          summary: 'Send a test event and return the response of the receiver',
          description:
            'The event has the type `webhook.test` and describes no change. The service sends it once, even if the webhook is disabled, and does not count it as a success or a failure.',
          params: WebhookId,
          response: { 200: ref(WebhookTestSchema) },
        },
      },
      async ({ caller, params }) => {
        const { project_id: projectId, token_name: actor } = caller
        return tests.run(
          () => testWebhook(database, { cipher, sender }, projectId, params.id, actor),
          projectId,
        )
      },
    )

    app.post(
      '/webhooks/:id/rotate',
      {
        preValidation: allowNoBody,
        config: { scope, problems: ['not_found', ...repeatProblems] },
        schema: {
          tags,
          operationId: 'rotateWebhookSecret',
          summary: 'Rotate the secret of a webhook',
          description:
            'The response is the only one that includes the new secret. Until the overlap ends, each event has two signatures: one by the old secret and one by the new secret.',
          params: WebhookId,
          body: WebhookRotateSchema,
          response: { 200: ref(WebhookWithSecretSchema) },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        const { project_id: projectId } = caller
        const seconds = readOverlap(body.overlap ?? '') ?? tokenLimits.overlapSeconds
        const rotate = async (writable: Writable) => ({
          status: 200,
          body: await rotateWebhook(writable, tools, actorOf(caller), projectId, params.id, seconds),
        })
        return respondOnce(
          database,
          request,
          reply,
          rotate,
          undefined,
          withEncryptedSecret(cipher, projectId),
        )
      },
    )

    app.post(
      '/webhooks/:id/replay',
      {
        config: {
          scope,
          problems: ['not_found', 'webhook_disabled', 'feed_restarted', 'cursor_expired', ...repeatProblems],
        },
        schema: {
          tags,
          operationId: 'replayWebhook',
          summary: 'Replay events',
          description:
            'Delivers all events after `from`, up to and including `to`, again: with the same ids and in order. Newer events wait until the replay is finished.',
          params: WebhookId,
          body: WebhookReplaySchema,
          response: { 200: ref(WebhookSchema) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, params, body } = request
          const webhook = await replayWebhook(writable, actorOf(caller), caller.project_id, params.id, body)
          return { status: 200, body: webhook }
        }),
    )

    app.post(
      '/webhooks/:id/disable',
      {
        config: { scope, problems: ['not_found', 'webhook_disabled', ...repeatProblems] },
        schema: {
          tags,
          operationId: 'disableWebhook',
          summary: 'Disable a webhook',
          description:
            'Pauses deliveries, for example during maintenance of the receiver. No attempt fails meanwhile, and no event is lost. A delivery in progress is completed.',
          params: WebhookId,
          response: { 200: ref(WebhookSchema) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, params } = request
          const webhook = await disableByHand(writable, authorOf(caller), caller.project_id, params.id)
          return { status: 200, body: webhook }
        }),
    )

    app.post(
      '/webhooks/:id/enable',
      {
        preValidation: allowNoBody,
        config: {
          scope,
          problems: ['not_found', 'webhook_enabled', 'feed_restarted', 'cursor_expired', ...repeatProblems],
        },
        schema: {
          tags,
          operationId: 'enableWebhook',
          summary: 'Enable a disabled webhook',
          description: 'Deliveries resume where they stopped, or after `from`.',
          params: WebhookId,
          body: WebhookEnableSchema,
          response: { 200: ref(WebhookSchema) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, async (writable) => {
          const { caller, params, body } = request
          const webhook = await enableWebhook(
            writable,
            actorOf(caller),
            caller.project_id,
            params.id,
            body.from,
          )
          return { status: 200, body: webhook }
        }),
    )
  }
}

function makerOf(caller: Caller) {
  return { projectId: caller.project_id, scopes: caller.scopes, actor: actorOf(caller) }
}

function actorOf(caller: Caller): { name: string } {
  return { name: authorOf(caller).actor }
}
