import type { Actor } from '../../access/audit/audit.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { restartDelivery } from './delivery-job.ts'
import { markSkippedStart } from './expire-events.sql.ts'
import { isBehind, lockLanes, moveLane, withReplay } from './lane-place.sql.ts'
import { recordWebhookAct } from './record-webhook-act.ts'
import { findStart } from './start-place.ts'
import type { Webhook, WebhookReplay } from './webhook.schema.ts'
import { lockWebhook, requireWebhook } from './webhook.sql.ts'

/** Delivers again what lies between two places of the feed, with the same ids and in order; what is newer waits for it. */
export async function replayWebhook(
  database: Writable,
  actor: Actor,
  projectId: number,
  id: number,
  { from, to }: WebhookReplay,
): Promise<Webhook> {
  const start = await findStart(database, projectId, from, '/from')
  const end = to === undefined ? undefined : await findStart(database, projectId, to, '/to')
  if (end !== undefined && isBehind(end, start)) {
    const message = 'must not be before from'
    throw new Problem('invalid_body', { errors: [{ pointer: '/to', code: 'invalid_cursor', message }] })
  }
  return database.transaction(async (tx) => {
    const lanes = await lockLanes(tx, projectId, id)
    const { state } = await lockWebhook(tx, projectId, id)
    if (state === 'disabled') throw new Problem('webhook_disabled')
    for (const { lane, ...place } of lanes) {
      const moved = withReplay(place, start, end)
      if (moved !== place) await moveLane(tx, projectId, id, lane, moved)
    }
    await restartDelivery(tx, projectId, id)
    await markSkippedStart(tx, projectId, id, start)
    await recordWebhookAct(tx, actor, 'webhook.replay', projectId, id, { from, to })
    return requireWebhook(tx, projectId, id)
  })
}
