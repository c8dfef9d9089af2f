import { boundedMap } from '../../../platform/bounded-map.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { TargetKey } from '../target.sql.ts'
import type { Outcome } from '../webhook-sender.ts'
import { type Attempt, insertAttempts, noteSuccesses, trimAttempts } from './outcomes.sql.ts'

const trimEvery = 1_000
/** Of webhooks that may be gone by now. */
const mostCounted = 10_000
/** Beyond, while the database is away, the oldest are forgotten. */
const mostKept = 20_000

export type DeliveryLog = ReturnType<typeof deliveryLog>

/** What became of tries, kept in memory until it is written, once a second. */
export function deliveryLog(keptTries: number) {
  let attempts: Attempt[] = []
  let successes = new Map<number, TargetKey & { at: number }>()
  const sinceTrim = boundedMap<number, number>(mostCounted)

  async function trim(tx: Queryable, { projectId, webhookId }: TargetKey, added: number): Promise<void> {
    const count = (sinceTrim.get(webhookId) ?? 0) + added
    if (count < trimEvery) return void sinceTrim.set(webhookId, count)
    sinceTrim.delete(webhookId)
    await trimAttempts(tx, projectId, webhookId, keptTries)
  }

  return {
    add(
      { projectId, webhookId }: TargetKey,
      event: Pick<CatalogEvent, 'id' | 'type'>,
      tries: number,
      outcome: Outcome,
    ): void {
      const { status, error, milliseconds } = outcome
      const at = new Date().toISOString()
      const what = { event_id: event.id, type: event.type, try: tries, status, error, milliseconds }
      attempts.push({ project_id: projectId, webhook_id: webhookId, at, ...what })
      if (attempts.length > mostKept) attempts = attempts.slice(-mostKept / 2)
      if (error === null) successes.set(webhookId, { projectId, webhookId, at: performance.now() })
    },
    isEmpty: (): boolean => attempts.length === 0 && successes.size === 0,
    /** What is not written is kept for the next time. */
    async write(tx: Queryable): Promise<() => void> {
      // Others are added while these are written.
      const written = [...attempts]
      const noted = new Map(successes)
      const now = performance.now()
      await insertAttempts(tx, written)
      await noteSuccesses(
        tx,
        [...noted.values()].map(({ at, ...key }) => ({ ...key, millisecondsAgo: Math.round(now - at) })),
      )
      const counts = Map.groupBy(written, ({ webhook_id }) => webhook_id)
      for (const [webhookId, own] of counts)
        await trim(tx, { projectId: own[0]?.project_id ?? 0, webhookId }, own.length)
      return () => {
        attempts = attempts.slice(written.length)
        successes = new Map([...successes].filter(([id, { at }]) => noted.get(id)?.at !== at))
      }
    },
  }
}
