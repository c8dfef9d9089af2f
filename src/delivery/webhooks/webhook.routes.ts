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
          description: 'All webhooks of the project, at most 20, with how each of them is.',
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
          summary: 'Get a webhook, and how it is',
          description: 'Its state, how far it is behind, and what became of the last tries.',
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
          summary: 'Have events posted to an address',
          description:
            'Each event comes at least once, in order for each object, signed as Standard Webhooks has it. The secret is shown this once. The webhook gets the events that the scopes of its maker show, and outlives the token that made it.',
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
          summary: 'Change the address or the types of a webhook',
          description:
            'What is left out stays. It holds for every event that is delivered from then on; an event that failed is tried anew at once. Another address needs the read scopes that the webhook has of its maker.',
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
          description: 'Nothing is delivered any more; its attempts and parked events go along.',
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
          summary: 'Post a test event now, and see what the receiver answers',
          description:
            'The event has the type `webhook.test` and tells of no change. It is posted once, whatever the state of the webhook, and counts neither as success nor as failure.',
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
          summary: 'Make a new secret',
          description:
            'The new secret is shown this once. Until the overlap ends each event has two signatures, by the old secret and by the new one.',
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
          summary: 'Deliver events again',
          description:
            'All that lie after `from`, up to and with `to`, with the same ids and in order. Newer events wait for them.',
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
          summary: 'Deliver nothing until it is enabled again',
          description:
            'For as long as the receiver is being worked on: no try fails meanwhile, and nothing is lost. What is under way is still delivered.',
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
          summary: 'Deliver again to a webhook that is disabled',
          description: 'It goes on where it stopped, or after `from`.',
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
