import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { webhookLimits } from '../limits.ts'
import { decryptSecrets, requireTarget } from './target.sql.ts'
import type { WebhookTest } from './webhook-action.schema.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** Sends a test event once, even if the webhook is disabled. */
export async function testWebhook(
  database: Queryable,
  { cipher, sender }: { cipher: SecretCipher; sender: WebhookSender },
  projectId: number,
  id: number,
  actor: string,
): Promise<WebhookTest> {
  const target = await requireTarget(database, projectId, id)
  if (!(await sender.isSafe())) throw new Problem('webhooks_off')
  const secrets = await decryptSecrets(cipher, target)
  if (secrets === undefined)
    return {
      delivered: false,
      status: null,
      milliseconds: 0,
      answer: '',
      error: 'the secret cannot be decrypted; rotate it',
    }
  const eventId = `evt_test_${randomUUID().replaceAll('-', '')}`
  const event = {
    id: eventId,
    cursor: null,
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    actor,
    source: 'service',
    data: { object: 'webhook', id, sku: null, version: null, before: null, after: null },
  }
  const message = { url: target.url, id: eventId, body: JSON.stringify(event), secrets }
  const { status, error, milliseconds, body } = await sender.post(message)
  return {
    delivered: error === null,
    status,
    milliseconds,
    answer: body.subarray(0, webhookLimits.shownResponseBytes).toString('utf8'),
    error,
  }
}
