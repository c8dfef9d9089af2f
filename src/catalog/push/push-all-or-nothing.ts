import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/request/split-body.ts'
import { repeat } from '../../platform/scheduling/retry.ts'
import type { Push } from '../batches/apply-lines.ts'
import { orderLines } from '../batches/order-lines.ts'
import { lockPushes } from '../batches/product-push.sql.ts'
import { writeBatch } from '../batches/push-batch.ts'
import { overtaken } from '../batches/push-conflicts.ts'
import { type LineRange, planBatches, readAhead, readBatches } from '../batches/read-batches.ts'
import { type Report, verdictOf } from '../batches/verdicts.ts'
import { retryOnDuplicate, statementTimeoutSeconds, untilPast } from './push-products.ts'

/** Each attempt may write all of its lines twice. */
const attempts = 5

class LineRejected extends Error {}

/** After all lines were written, to have none of them stay. */
class GivenUp extends Error {
  readonly rejected: number

  constructor(rejected: number) {
    super()
    this.rejected = rejected
  }
}

type AllOrNothing = { push: Push; lines: (Line | undefined)[]; ranges: LineRange[]; report: Report }

/** Everything in one transaction, which is given up when a line is rejected. The verdicts tell of every line all the same. */
export async function pushAllOrNothing(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  const all = { push, lines, ranges: await orderLines(lines), report }
  const limits = { statementTimeoutSeconds, bulk: true, project: push.projectId }
  const isSettled = await repeat({ attempts }, async () => {
    try {
      const write = (tx: Transaction) => writeAll(tx, all)
      await untilPast(await retryOnDuplicate(() => database.transaction(write, limits)))
      return true
    } catch (error) {
      if (!(error instanceof LineRejected)) throw error
    }
    // Whatever stood in the way may be gone by now.
    const judge = (tx: Transaction) => judgeAll(tx, all)
    const rejected = await retryOnDuplicate(() => database.transaction(judge, limits)).catch((error) => {
      if (error instanceof GivenUp) return error.rejected
      throw error
    })
    return rejected > 0 || undefined
  })
  if (isSettled === undefined) throw overtaken()
}

async function writeAll(tx: Transaction, all: AllOrNothing): Promise<number> {
  let lastAhead = 0
  for await (const { applied, ahead } of written(tx, all)) {
    lastAhead = Math.max(lastAhead, ahead)
    if (applied.some(({ outcome }) => outcome === 'rejected')) throw new LineRejected()
    all.report.tell(applied.map(verdictOf))
  }
  return lastAhead
}

/**
 * Tells what would become of every line if the rejected ones did no harm to the others: by writing them, because only so a line
 * meets what the lines before it have made. The transaction is given up, so nobody learns the ids of what it made.
 */
async function judgeAll(tx: Transaction, all: AllOrNothing): Promise<never> {
  const made = new Set<string | null>()
  let rejected = 0
  for await (const { applied } of written(tx, all)) {
    for (const { sku, outcome } of applied) {
      if (outcome === 'created') made.add(sku)
      if (outcome === 'rejected') rejected += 1
    }
    const unmade = applied.map((line) => (made.has(line.sku) ? { ...line, product: undefined } : line))
    all.report.tell(unmade.map(verdictOf))
  }
  throw new GivenUp(rejected)
}

async function* written(tx: Transaction, { push, lines, ranges, report }: AllOrNothing) {
  report.begin()
  await lockPushes(tx, push.projectId, true)
  const read = readAhead(readBatches(lines, ranges, true))
  // On the transaction's own connection: those that wait for it may have taken all others.
  for await (const batch of planBatches(tx, push.projectId, read, false)) yield writeBatch(tx, push, batch)
}
