import { boundedMap } from '../../../platform/bounded-map.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { TargetKey } from '../target.sql.ts'
import type { DeliveryResult } from '../webhook-sender.ts'
import { type Attempt, insertAttempts, recordWebhookSuccesses, trimAttempts } from './delivery-results.sql.ts'

const trimEvery = 1_000
/** Includes webhooks that may have been deleted. */
const maxCounted = 10_000
/** Beyond this number, while the database is unavailable, the oldest attempts are dropped. */
const maxPending = 20_000

export type DeliveryLog = ReturnType<typeof deliveryLog>

/** Collects the results of attempts in memory, until they are written once per second. */
export function deliveryLog(storedAttempts: number) {
  let attempts: Attempt[] = []
  let successes = new Map<number, TargetKey & { at: number }>()
  const sinceTrim = boundedMap<number, number>(maxCounted)

  async function trim(tx: Queryable, { projectId, webhookId }: TargetKey, added: number): Promise<void> {
    const count = (sinceTrim.get(webhookId) ?? 0) + added
    if (count < trimEvery) return void sinceTrim.set(webhookId, count)
    sinceTrim.delete(webhookId)
    await trimAttempts(tx, projectId, webhookId, storedAttempts)
  }

  return {
    add(
      { projectId, webhookId }: TargetKey,
      event: Pick<CatalogEvent, 'id' | 'type'>,
      tries: number,
      result: DeliveryResult,
    ): void {
      const { status, error, milliseconds } = result
      const at = new Date().toISOString()
      const details = { event_id: event.id, type: event.type, try: tries, status, error, milliseconds }
      attempts.push({ project_id: projectId, webhook_id: webhookId, at, ...details })
      if (attempts.length > maxPending) attempts = attempts.slice(-maxPending / 2)
      if (error === null) successes.set(webhookId, { projectId, webhookId, at: performance.now() })
    },
    isEmpty: (): boolean => attempts.length === 0 && successes.size === 0,
    /** Returns a function that drops the written entries; call it after the commit. */
    async write(tx: Queryable): Promise<() => void> {
      // New entries arrive during the write.
      const written = [...attempts]
      const saved = new Map(successes)
      const now = performance.now()
      await insertAttempts(tx, written)
      await recordWebhookSuccesses(
        tx,
        [...saved.values()].map(({ at, ...key }) => ({ ...key, millisecondsAgo: Math.round(now - at) })),
      )
      const counts = Map.groupBy(written, ({ webhook_id }) => webhook_id)
      for (const [webhookId, own] of counts)
        await trim(tx, { projectId: own[0]?.project_id ?? 0, webhookId }, own.length)
      return () => {
        attempts = attempts.slice(written.length)
        successes = new Map([...successes].filter(([id, { at }]) => saved.get(id)?.at !== at))
      }
    },
  }
}
