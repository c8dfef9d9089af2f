import type { Actor } from '../../access/audit/audit.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { restartDelivery } from './delivery-job.ts'
import { markSkippedStart } from './expire-events.sql.ts'
import { isBefore, lockPartitions, movePartition, withReplay } from './partition-progress.sql.ts'
import { recordWebhookAction } from './record-webhook-action.ts'
import { findStartPosition } from './start-position.ts'
import type { Webhook } from './webhook.schema.ts'
import { lockWebhook, requireWebhook } from './webhook.sql.ts'
import type { WebhookReplay } from './webhook-action.schema.ts'

/** Delivers the events between two positions again, with the same ids and in order. Newer events wait. */
export async function replayWebhook(
  database: Writable,
  actor: Actor,
  projectId: number,
  id: number,
  { from, to }: WebhookReplay,
): Promise<Webhook> {
  const start = await findStartPosition(database, projectId, from, '/from')
  const end = to === undefined ? undefined : await findStartPosition(database, projectId, to, '/to')
  if (end !== undefined && isBefore(end, start)) {
    const message = 'must not be before from'
    throw new Problem('invalid_body', { errors: [{ pointer: '/to', code: 'invalid_cursor', message }] })
  }
  return database.transaction(async (tx) => {
    const partitions = await lockPartitions(tx, projectId, id)
    const { state } = await lockWebhook(tx, projectId, id)
    if (state === 'disabled') throw new Problem('webhook_disabled')
    for (const { index, ...progress } of partitions) {
      const moved = withReplay(progress, start, end)
      if (moved !== progress) await movePartition(tx, projectId, id, index, moved)
    }
    await restartDelivery(tx, projectId, id)
    await markSkippedStart(tx, projectId, id, start)
    await recordWebhookAction(tx, actor, 'webhook.replay', projectId, id, { from, to })
    return requireWebhook(tx, projectId, id)
  })
}
