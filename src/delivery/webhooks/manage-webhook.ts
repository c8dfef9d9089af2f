import type { Actor } from '../../access/audit/audit.sql.ts'
import { lockProject } from '../../access/projects/project.sql.ts'
import { requireScope } from '../../access/tokens/authenticate.ts'
import { eventTypes } from '../../model/events/event-types.ts'
import { grants, type Scope } from '../../model/scopes.ts'
import type { Writable } from '../../platform/database/database.ts'
import { readOnlyOf, rejectChangedReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { Problem } from '../../platform/http/problems.ts'
import { checkAddress, type DialRules } from '../../platform/outbound/check-address.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { subscriptionLimits } from '../limits.ts'
import { deleteDelivery, requestDelivery, restartDelivery } from './delivery-job.ts'
import { markSkippedStart } from './expire-events.sql.ts'
import { insertPartitions, lockPartitions, movePartition, resetRetries } from './partition-progress.sql.ts'
import { recordWebhookAction } from './record-webhook-action.ts'
import { findStartPosition } from './start-position.ts'
import type { Webhook, WebhookCreate, WebhookPatch, WebhookWithSecret } from './webhook.schema.ts'
import {
  countWebhooks,
  deleteWebhookRow,
  enableWebhookRow,
  insertWebhook,
  lockWebhook,
  replaceSecret,
  requireWebhook,
  updateWebhook,
} from './webhook.sql.ts'

export type WebhookTools = { cipher: SecretCipher; rules: DialRules }
type Creator = { projectId: number; actor: Actor; scopes: readonly Scope[] }
const readScopes = new Set(eventTypes.values())

/** Only this response shows the secret. The webhook keeps the scopes of its creator, also after the creator's token has ended. */
export async function createWebhook(
  database: Writable,
  { cipher, rules }: WebhookTools,
  { projectId, actor, scopes }: Creator,
  { url: text, types = null, from = 'now' }: WebhookCreate,
): Promise<WebhookWithSecret> {
  const url = checkAddress(text, rules)
  const start = await findStartPosition(database, projectId, from, '/from')
  const { secret, encrypted } = await cipher.create(projectId)
  return database.transaction(async (tx) => {
    // Serializes creation, so that concurrent requests cannot exceed the limit.
    await lockProject(tx, projectId)
    if ((await countWebhooks(tx, projectId)) >= subscriptionLimits.webhooks)
      throw new Problem('too_many_webhooks')
    const id = await insertWebhook(tx, projectId, {
      url,
      types,
      scopes,
      actor: actor.name,
      secret: encrypted,
    })
    await insertPartitions(tx, projectId, id, start)
    await requestDelivery(tx, projectId, id)
    await markSkippedStart(tx, projectId, id, start)
    await recordWebhookAction(tx, actor, 'webhook.create', projectId, id, { url, types, from })
    return { ...(await requireWebhook(tx, projectId, id)), secret }
  })
}

/** A caller who changes the URL needs the read scopes that the webhook has from its creator. Failed events are retried at once. */
export function changeWebhook(
  database: Writable,
  { rules }: WebhookTools,
  { projectId, actor, scopes }: Creator,
  id: number,
  patch: WebhookPatch,
): Promise<Webhook> {
  const { url: text, types } = patch
  return database.transaction(async (tx) => {
    await lockPartitions(tx, projectId, id)
    const before = await lockWebhook(tx, projectId, id)
    rejectChangedReadOnly(readOnlyOf(patch), before)
    // An unchanged URL is not checked again, so that a client can send back what it read.
    const given = text === undefined || text === before.url ? undefined : checkAddress(text, rules)
    const url = given === before.url ? undefined : given
    if (url === undefined && (types === undefined || areSame(types, before.types))) return before
    if (url !== undefined)
      for (const scope of readScopes) if (grants(before.scopes, scope)) requireScope({ scopes }, scope)
    await updateWebhook(tx, projectId, id, { url, types })
    await resetRetries(tx, projectId, id)
    await restartDelivery(tx, projectId, id)
    await recordWebhookAction(tx, actor, 'webhook.update', projectId, id, { url, types })
    return requireWebhook(tx, projectId, id)
  })
}

/** Types are a set: their order does not matter. */
function areSame(one: Webhook['types'], other: Webhook['types']): boolean {
  return JSON.stringify(one?.toSorted() ?? null) === JSON.stringify(other?.toSorted() ?? null)
}

export function deleteWebhook(
  database: Writable,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockPartitions(tx, projectId, id)
    const { url } = await lockWebhook(tx, projectId, id)
    await deleteWebhookRow(tx, projectId, id)
    await deleteDelivery(tx, projectId, id)
    await recordWebhookAction(tx, actor, 'webhook.delete', projectId, id, { url })
  })
}

/** Both secrets sign during the overlap. A webhook that was disabled because of an unreadable secret resumes where it stopped. */
export async function rotateWebhook(
  database: Writable,
  { cipher }: Pick<WebhookTools, 'cipher'>,
  actor: Actor,
  projectId: number,
  id: number,
  overlapSeconds: number,
): Promise<WebhookWithSecret> {
  const { secret, encrypted } = await cipher.create(projectId)
  return database.transaction(async (tx) => {
    const { disabled_reason } = await lockWebhook(tx, projectId, id)
    await replaceSecret(tx, projectId, id, encrypted, overlapSeconds)
    if (disabled_reason === 'secret_unreadable') {
      await enableWebhookRow(tx, projectId, id)
      await requestDelivery(tx, projectId, id)
    }
    const details = { overlap_seconds: overlapSeconds }
    await recordWebhookAction(tx, actor, 'webhook.rotate', projectId, id, details)
    return { ...(await requireWebhook(tx, projectId, id)), secret }
  })
}

/** Resumes where deliveries stopped, or at another position in the feed. */
export async function enableWebhook(
  database: Writable,
  actor: Actor,
  projectId: number,
  id: number,
  from: string | undefined,
): Promise<Webhook> {
  const start = from === undefined ? undefined : await findStartPosition(database, projectId, from, '/from')
  return database.transaction(async (tx) => {
    const partitions = await lockPartitions(tx, projectId, id)
    const { state } = await lockWebhook(tx, projectId, id)
    if (state !== 'disabled') throw new Problem('webhook_enabled')
    for (const { index, ...progress } of partitions)
      await movePartition(tx, projectId, id, index, start === undefined ? progress : { at: start })
    if (start !== undefined) await markSkippedStart(tx, projectId, id, start)
    await enableWebhookRow(tx, projectId, id)
    await restartDelivery(tx, projectId, id)
    await recordWebhookAction(tx, actor, 'webhook.enable', projectId, id, { from })
    return requireWebhook(tx, projectId, id)
  })
}
