import { setTimeout as sleep } from 'node:timers/promises'
import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { databaseLimits } from '../../platform/limits/database.ts'
import { repeat, retry } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import type { AppliedLine, Push } from './applied-line.ts'
import { overtaken, type WriteOptions, writeBatch } from './apply-batch.ts'
import { lockPushes } from './batch.sql.ts'
import type { VariantCounts } from './find-conflicts.ts'
import {
  type Batch,
  type LineRange,
  type LineTurn,
  orderLines,
  type PushedLine,
  planBatches,
  readAhead,
  readTurns,
  skusOf,
} from './read-batches.ts'

const duplicateRetries = {
  attempts: writeLimits.duplicateAttempts,
  isRetryable: (error: unknown) => sqlState(error) === sqlStates.uniqueViolation,
  exhausted: overtaken,
}

/** Writes lines of a batch in its transaction. */
export type WriteLines = (
  lines: PushedLine[],
  how?: Pick<WriteOptions, 'locked' | 'apply'>,
) => Promise<AppliedLine[]>

/** The work in the transaction of a batch. It is atomic and may be repeated. */
type BatchWork<Result> = (tx: Transaction, lines: PushedLine[], write: WriteLines) => Promise<Result>

/**
 * Writes batches in parallel, each in its own transaction. Batches that name the same product keep their order, and so do turns.
 * Reports results in the order of the batches.
 */
export async function writeBatches<Result>(
  database: Writable,
  push: Push,
  turns: AsyncIterable<Pick<LineTurn, 'batches'>>,
  work: BatchWork<Result>,
  tell: (result: Result) => void,
): Promise<void> {
  const counts: VariantCounts = new Map()
  for await (const { batches } of turns)
    await runSideBySide(
      planBatches(database, push.projectId, batches, push.mode !== 'update'),
      (batch) => writeAlone(database, push, batch, counts, work),
      tell,
    )
}

/** Not a concurrency limit: the products that a batch names decide whether it waits. */
async function runSideBySide<Result>(
  batches: AsyncGenerator<Batch>,
  write: (batch: Batch) => Promise<Result>,
  tell: (result: Result) => void,
): Promise<void> {
  const running: { skus: Set<string>; told: Promise<void> }[] = []
  let failed = false
  try {
    for await (const batch of readAhead(batches)) {
      const mustWait = () =>
        running.length === databaseLimits.batchesOfProject ||
        running.some((other) => !other.skus.isDisjointFrom(batch.skus))
      while (mustWait()) {
        await running[0]?.told
        running.shift()
      }
      if (failed) break
      const before = running.at(-1)?.told
      const told = write(batch).then(async (result) => {
        await before
        tell(result)
      })
      // Met when its turn comes.
      told.catch(() => {
        failed = true
      })
      running.push({ skus: batch.skus, told })
    }
    await running.at(-1)?.told
  } finally {
    await Promise.allSettled(running.map(({ told }) => told))
  }
}

async function writeAlone<Result>(
  database: Writable,
  push: Push,
  batch: Batch,
  counts: VariantCounts,
  work: BatchWork<Result>,
): Promise<Result> {
  let lastAhead = 0
  const result = await retryOnDuplicate((alone) =>
    database.transaction(
      async (tx) => {
        await lockPushes(tx, push.projectId, alone)
        return work(tx, batch.lines, async (lines, how) => {
          const some = { lines, skus: skusOf(lines), ids: batch.ids }
          const { applied, ahead } = await writeBatch(tx, push, some, { ...how, variants: { counts, batch } })
          lastAhead = ahead
          return applied
        })
      },
      { ...bulkLimits, project: push.projectId },
    ),
  )
  await untilPast(lastAhead)
  return result
}

/** Changes of one product are a millisecond apart, which may be more time than they took: nobody is told of the future. */
async function untilPast(ahead: number): Promise<void> {
  if (ahead > 0) await sleep(ahead)
}

/**
 * Somebody else made a product with one of our SKUs: by now it is there to be changed. Alone the second time, or pushes over
 * the same new SKUs could make one of them lose again and again.
 */
function retryOnDuplicate<Result>(work: (alone: boolean) => Promise<Result>): Promise<Result> {
  return retry(duplicateRetries, (failures) => work(failures > 0))
}

/** A call of `begin` discards all results before it: everything starts again. */
type Whole = { begin(): void; tell(applied: AppliedLine[]): void }

type ArrangedLines = { lines: (Line | undefined)[]; ranges: LineRange[] }

class LineRejected extends Error {}

/** After all lines were written, to have none of them stay. */
class GivenUp extends Error {
  readonly rejected: number

  constructor(rejected: number) {
    super()
    this.rejected = rejected
  }
}

/** Writes everything in one transaction and rolls it back if a line is rejected. Reports every line in any case. */
export async function writeAtomically(
  database: Writable,
  push: Push,
  lines: (Line | undefined)[],
  whole: Whole,
): Promise<void> {
  const limits = { ...bulkLimits, project: push.projectId }
  // Once, and before the transaction, which holds up other pushes of the project.
  const arranged = { lines, ranges: await orderLines(lines) }
  const isSettled = await repeat({ attempts: writeLimits.atomicAttempts }, async () => {
    try {
      const write = (tx: Transaction) => writeAll(tx, push, arranged, whole)
      await untilPast(await retryOnDuplicate(() => database.transaction(write, limits)))
      return true
    } catch (error) {
      if (!(error instanceof LineRejected)) throw error
    }
    // Whatever stood in the way may be gone by now.
    const judge = (tx: Transaction) => judgeAll(tx, push, arranged, whole)
    const rejected = await retryOnDuplicate(() => database.transaction(judge, limits)).catch((error) => {
      if (error instanceof GivenUp) return error.rejected
      throw error
    })
    return rejected > 0 || undefined
  })
  if (isSettled === undefined) throw overtaken()
}

async function writeAll(tx: Transaction, push: Push, arranged: ArrangedLines, whole: Whole): Promise<number> {
  let lastAhead = 0
  whole.begin()
  for await (const { applied, ahead } of writtenInTurns(tx, push, arranged)) {
    lastAhead = Math.max(lastAhead, ahead)
    if (applied.some(({ outcome }) => outcome === 'rejected')) throw new LineRejected()
    whole.tell(applied)
  }
  return lastAhead
}

/**
 * Tells what would become of every line if the rejected ones did no harm to the others: by writing them, because only so a line
 * meets what the lines before it have made. The transaction is given up, so nobody learns the ids of what it made.
 */
async function judgeAll(tx: Transaction, push: Push, arranged: ArrangedLines, whole: Whole): Promise<never> {
  const made = new Set<string | null>()
  let rejected = 0
  whole.begin()
  for await (const { applied } of writtenInTurns(tx, push, arranged)) {
    for (const { sku, outcome } of applied) {
      if (outcome === 'created') made.add(sku)
      if (outcome === 'rejected') rejected += 1
    }
    whole.tell(applied.map((line) => (made.has(line.sku) ? { ...line, product: undefined } : line)))
  }
  throw new GivenUp(rejected)
}

async function* writtenInTurns(tx: Transaction, push: Push, { lines, ranges }: ArrangedLines) {
  await lockPushes(tx, push.projectId, true)
  async function* read() {
    for await (const { batches } of readTurns(lines, { keep: true, ranges })) yield* batches
  }
  // On the transaction's own connection: those that wait for it may have taken all others.
  for await (const batch of planBatches(tx, push.projectId, readAhead(read()), false))
    yield writeBatch(tx, push, batch)
}
