import { setTimeout as sleep } from 'node:timers/promises'
import type { Writable } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import type { Line } from '../../platform/http/request/split-body.ts'
import { retry } from '../../platform/scheduling/retry.ts'
import type { AppliedLine, Push } from '../batches/apply-lines.ts'
import { orderLines } from '../batches/order-lines.ts'
import { lockPushes } from '../batches/product-push.sql.ts'
import { writeBatch } from '../batches/push-batch.ts'
import { overtaken } from '../batches/push-conflicts.ts'
import { type Batch, planBatches, readBatches } from '../batches/read-batches.ts'
import type { VariantCounts } from '../batches/refuse-lines.ts'
import { runBatches } from '../batches/run-batches.ts'
import { type Report, verdictOf } from '../batches/verdicts.ts'

export const statementTimeoutSeconds = 30
/** Of a transaction that writes very many rows. */
export const bulkLimits = { statementTimeoutSeconds, bulk: true } as const
const duplicateRetries = {
  attempts: 21,
  isRetryable: (error: unknown) => sqlState(error) === sqlStates.uniqueViolation,
  exhausted: overtaken,
}

/** Writes the lines in batches that are a transaction each, side by side; batches that name the same product keep their order. */
export async function pushProducts(
  database: Writable,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  const variantCounts: VariantCounts = new Map()
  for (const range of await orderLines(lines)) {
    const read = readBatches(lines, [range], false)
    await runBatches(
      planBatches(database, push.projectId, read, push.mode !== 'update'),
      (batch) => pushBatch(database, push, batch, variantCounts),
      (applied) => report.tell(applied.map(verdictOf)),
    )
  }
}

async function pushBatch(
  database: Writable,
  push: Push,
  batch: Batch,
  variantCounts: VariantCounts,
): Promise<AppliedLine[]> {
  const { applied, ahead } = await retryOnDuplicate((alone) =>
    database.transaction(
      async (tx) => {
        await lockPushes(tx, push.projectId, alone)
        return writeBatch(tx, push, batch, { variantCounts })
      },
      { ...bulkLimits, project: push.projectId },
    ),
  )
  await untilPast(ahead)
  return applied
}

/** Changes of one product are a millisecond apart, which may be more time than they took: nobody is told of the future. */
export async function untilPast(ahead: number): Promise<void> {
  if (ahead > 0) await sleep(ahead)
}

/**
 * Somebody else made a product with one of our SKUs: by now it is there to be changed. Alone the second time, or pushes over
 * the same new SKUs could make one of them lose again and again.
 */
export function retryOnDuplicate<Result>(work: (alone: boolean) => Promise<Result>): Promise<Result> {
  return retry(duplicateRetries, (failures) => work(failures > 0))
}
