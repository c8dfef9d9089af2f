import type { Database, Transaction } from '../../database/database.ts'
import type { Line } from '../../http/request/split-body.ts'
import type { Push } from './apply-lines.ts'
import { dryRun } from './dry-run.ts'
import { lockPushes } from './product-push.sql.ts'
import { writeBatch } from './push-batch.ts'
import { overtaken, retryOnDuplicate, statementTimeoutSeconds, untilPast } from './push-products.ts'
import { planBatches, readAhead, readBatches } from './read-batches.ts'
import { type Report, verdictOf } from './verdicts.ts'

/** Each attempt may read all of its lines twice. */
const attempts = 5

class LineRejected extends Error {}

/** Everything in one transaction, which is given up when a line is rejected. The verdicts tell of every line all the same. */
export async function pushAllOrNothing(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  const { projectId } = push
  const limits = { statementTimeoutSeconds, bulk: true, project: projectId }
  for (let left = attempts; left > 0; left -= 1) {
    try {
      const write = (tx: Transaction) => writeAll(tx, push, lines, report)
      return await untilPast(await retryOnDuplicate(() => database.transaction(write, limits)))
    } catch (error) {
      if (!(error instanceof LineRejected)) throw error
    }
    const rejected = await dryRun(database, push, lines, report, { keepsLines: true, tellsChanges: false })
    // Whatever stood in the way may be gone by now.
    if (rejected > 0) return
  }
  throw overtaken()
}

async function writeAll(
  tx: Transaction,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<number> {
  let lastAhead = 0
  report.begin()
  await lockPushes(tx, push.projectId, true)
  const read = readAhead(readBatches(lines, true))
  // On the transaction's own connection: those that wait for it may have taken all others.
  for await (const batch of planBatches(tx, push.projectId, read, false)) {
    const { applied, ahead } = await writeBatch(tx, push, batch)
    lastAhead = Math.max(lastAhead, ahead)
    if (applied.some(({ outcome }) => outcome === 'rejected')) throw new LineRejected()
    report.tell(applied.map(verdictOf))
  }
  return lastAhead
}
