import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenLimits } from '../../access/limits.ts'
import { actorOfCaller, authorOf } from '../../access/tokens/caller.ts'
import { readOverlap } from '../../access/tokens/overlap.ts'
import type { Database, Writable } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { subscriptionLimits } from '../limits.ts'
import { disableByHand } from './disable-webhook.ts'
import { withEncryptedSecret } from './encrypted-secret-form.ts'
import { enableWebhook, rotateWebhook } from './manage-webhook.ts'
import { replayWebhook } from './replay-webhook.ts'
import { testWebhook } from './test-webhook.ts'
import { WebhookId, WebhookSchema, WebhookWithSecretSchema } from './webhook.schema.ts'
import {
  WebhookEnableSchema,
  WebhookReplaySchema,
  WebhookRotateSchema,
  WebhookTestSchema,
} from './webhook-action.schema.ts'
import type { WebhookSender } from './webhook-sender.ts'

const tags = ['Webhooks']
const scope = 'webhooks:manage'
/** A test may wait for its receiver as long as a delivery. */
const testsAtOnce = {
  most: subscriptionLimits.tests,
  maxPerProject: subscriptionLimits.testsPerProject,
  maxWaitSeconds: subscriptionLimits.testWaitSeconds,
  maxWaiting: subscriptionLimits.waitingTests,
}

/** Actions on a webhook: test, rotate, replay, disable and enable. */
export function webhookActionRoutes(
  database: Database,
  cipher: SecretCipher,
  sender: WebhookSender,
): FastifyPluginAsyncTypebox {
  const tests = limitConcurrency(testsAtOnce)

  return async (app) => {
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
          body: await rotateWebhook(
            writable,
            { cipher },
            actorOfCaller(caller),
            projectId,
            params.id,
            seconds,
          ),
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
          const webhook = await replayWebhook(
            writable,
            actorOfCaller(caller),
            caller.project_id,
            params.id,
            body,
          )
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
            actorOfCaller(caller),
            caller.project_id,
            params.id,
            body.from,
          )
          return { status: 200, body: webhook }
        }),
    )
  }
}
