import { setTimeout as sleep } from 'node:timers/promises'
import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { databaseLimits } from '../../platform/limits/database.ts'
import { repeat, retry } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import type { VariantCounts } from '../structure/find-conflicts.ts'
import type { AppliedLine, Push } from './applied-line.ts'
import { tooMuchContention, type WriteOptions, writeBatch } from './apply-batch.ts'
import { lockPushes } from './batch.sql.ts'
import {
  type Batch,
  type LineRange,
  type LineTurn,
  orderLines,
  type PushedLine,
  planBatches,
  prefetch,
  readTurns,
  skusOf,
} from './read-batches.ts'

const duplicateRetries = {
  attempts: writeLimits.duplicateAttempts,
  isRetryable: (error: unknown) => sqlState(error) === sqlStates.uniqueViolation,
  exhausted: tooMuchContention,
}

/** Writes lines in the transaction of their batch. */
export type WriteLines = (
  lines: PushedLine[],
  how?: Pick<WriteOptions, 'locked' | 'apply'>,
) => Promise<AppliedLine[]>

/** The work in the transaction of a batch. It may be repeated. */
type BatchWork<Result> = (tx: Transaction, lines: PushedLine[], write: WriteLines) => Promise<Result>

/**
 * Writes batches in parallel, each in its own transaction. Turns keep their order, and so do batches with the same product.
 * Reports results in the order of the batches.
 */
export async function writeBatches<Result>(
  database: Writable,
  push: Push,
  turns: AsyncIterable<Pick<LineTurn, 'batches'>>,
  work: BatchWork<Result>,
  report: (result: Result) => void,
): Promise<void> {
  const counts: VariantCounts = new Map()
  for await (const { batches } of turns)
    await runInParallel(
      planBatches(database, push.projectId, batches, push.mode !== 'update'),
      (batch) => writeInTransaction(database, push, batch, counts, work),
      report,
    )
}

/** Not a concurrency limit: whether a batch waits depends on its products. */
async function runInParallel<Result>(
  batches: AsyncGenerator<Batch>,
  write: (batch: Batch) => Promise<Result>,
  report: (result: Result) => void,
): Promise<void> {
  const running: { skus: Set<string>; reported: Promise<void> }[] = []
  let failed = false
  try {
    for await (const batch of prefetch(batches)) {
      const mustWait = () =>
        running.length === databaseLimits.batchesOfProject ||
        running.some((other) => !other.skus.isDisjointFrom(batch.skus))
      while (mustWait()) {
        await running[0]?.reported
        running.shift()
      }
      if (failed) break
      const before = running.at(-1)?.reported
      const reported = write(batch).then(async (result) => {
        await before
        report(result)
      })
      // The error is thrown when the result is awaited.
      reported.catch(() => {
        failed = true
      })
      running.push({ skus: batch.skus, reported })
    }
    await running.at(-1)?.reported
  } finally {
    await Promise.allSettled(running.map(({ reported }) => reported))
  }
}

async function writeInTransaction<Result>(
  database: Writable,
  push: Push,
  batch: Batch,
  counts: VariantCounts,
  work: BatchWork<Result>,
): Promise<Result> {
  let lastAhead = 0
  const result = await retryOnDuplicate((isExclusive) =>
    database.transaction(
      async (tx) => {
        await lockPushes(tx, push.projectId, isExclusive)
        return work(tx, batch.lines, async (lines, how) => {
          const part = { lines, skus: skusOf(lines), ids: batch.ids }
          const { applied, ahead } = await writeBatch(tx, push, part, { ...how, variants: { counts, batch } })
          lastAhead = ahead
          return applied
        })
      },
      { ...bulkLimits, project: push.projectId },
    ),
  )
  await waitForClock(lastAhead)
  return result
}

/** Changes of one product are a millisecond apart, which may be more time than they took. No response shows a future time. */
async function waitForClock(ahead: number): Promise<void> {
  if (ahead > 0) await sleep(ahead)
}

/**
 * Another request created a product with a SKU of the batch. It can be changed now. The second attempt locks the project, because
 * pushes of the same new SKUs could otherwise fail repeatedly.
 */
function retryOnDuplicate<Result>(work: (isExclusive: boolean) => Promise<Result>): Promise<Result> {
  return retry(duplicateRetries, (failures) => work(failures > 0))
}

/** `begin` discards all earlier results: the push starts again. */
type AtomicReport = { begin(): void; add(applied: AppliedLine[]): void }

type ArrangedLines = { lines: (Line | undefined)[]; ranges: LineRange[] }

class LineRejected extends Error {}

/** Rolls the transaction back after all lines were written. */
class RolledBack extends Error {
  readonly rejected: number

  constructor(rejected: number) {
    super()
    this.rejected = rejected
  }
}

/** Writes all lines in one transaction and rolls it back if a line is rejected. Reports every line in both cases. */
export async function writeAtomically(
  database: Writable,
  push: Push,
  lines: (Line | undefined)[],
  report: AtomicReport,
): Promise<void> {
  const limits = { ...bulkLimits, project: push.projectId }
  // Once, and before the transaction, which blocks other pushes of the project.
  const arranged = { lines, ranges: await orderLines(lines) }
  const isDone = await repeat({ attempts: writeLimits.atomicAttempts }, async () => {
    try {
      const write = (tx: Transaction) => writeAll(tx, push, arranged, report)
      await waitForClock(await retryOnDuplicate(() => database.transaction(write, limits)))
      return true
    } catch (error) {
      if (!(error instanceof LineRejected)) throw error
    }
    // The conflict may be gone by now: then the push starts again.
    const tryLines = (tx: Transaction) => tryAll(tx, push, arranged, report)
    const rejected = await retryOnDuplicate(() => database.transaction(tryLines, limits)).catch((error) => {
      if (error instanceof RolledBack) return error.rejected
      throw error
    })
    return rejected > 0 || undefined
  })
  if (isDone === undefined) throw tooMuchContention()
}

async function writeAll(
  tx: Transaction,
  push: Push,
  arranged: ArrangedLines,
  report: AtomicReport,
): Promise<number> {
  let lastAhead = 0
  report.begin()
  for await (const { applied, ahead } of writeInTurns(tx, push, arranged)) {
    lastAhead = Math.max(lastAhead, ahead)
    if (applied.some(({ outcome }) => outcome === 'rejected')) throw new LineRejected()
    report.add(applied)
  }
  return lastAhead
}

/**
 * Reports the result that every line would have without the rejected ones. It writes them, because only then does a line see what
 * the lines before it created, and rolls back. The reported results have no IDs of products that no longer exist.
 */
async function tryAll(
  tx: Transaction,
  push: Push,
  arranged: ArrangedLines,
  report: AtomicReport,
): Promise<never> {
  const created = new Set<string | null>()
  let rejected = 0
  report.begin()
  for await (const { applied } of writeInTurns(tx, push, arranged)) {
    for (const { sku, outcome } of applied) {
      if (outcome === 'created') created.add(sku)
      if (outcome === 'rejected') rejected += 1
    }
    report.add(applied.map((line) => (created.has(line.sku) ? { ...line, product: undefined } : line)))
  }
  throw new RolledBack(rejected)
}

async function* writeInTurns(tx: Transaction, push: Push, { lines, ranges }: ArrangedLines) {
  await lockPushes(tx, push.projectId, true)
  async function* read() {
    for await (const { batches } of readTurns(lines, { retain: true, ranges })) yield* batches
  }
  // On the connection of the transaction: pushes that wait for its lock may use all others.
  for await (const batch of planBatches(tx, push.projectId, prefetch(read()), false))
    yield writeBatch(tx, push, batch)
}
