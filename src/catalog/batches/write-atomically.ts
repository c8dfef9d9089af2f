import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { prefetch } from '../../platform/scheduling/prefetch.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import { type Push, tooMuchContention, writeBatch } from './apply-batch.ts'
import type { AppliedLine } from './apply-line.ts'
import { type LineRange, orderLines, readTurns } from './read-lines.ts'
import { lockPushes, planBatches, retryOnDuplicate, waitForClock } from './write-batches.ts'

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
