import type { Database, Writable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import type { Push } from '../batches/apply-line.ts'
import { dryRunBatches } from '../batches/dry-run.ts'
import { readTurns } from '../batches/read-batches.ts'
import { writeAtomically, writeBatches } from '../batches/write-batches.ts'
import { describeChanges } from './describe-changes.ts'
import { type Report, verdictOf } from './push-answer.ts'

/** Writes every valid line. */
export async function pushProducts(
  database: Writable,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  await writeBatches(
    database,
    push,
    readTurns(lines),
    (_tx, batch, write) => write(batch),
    (applied) => report.tell(applied.map(verdictOf)),
  )
}

/** Writes all lines atomically. */
export function pushAllOrNothing(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  return writeAtomically(database, push, lines, {
    begin: report.begin,
    tell: (applied) => report.tell(applied.map(verdictOf)),
  })
}

/** Tells what would become of the lines, and writes nothing. */
export async function dryRun(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  for await (const { applied } of dryRunBatches(database, push, lines))
    report.tell(applied.map((line) => ({ ...verdictOf(line), changes: describeChanges(line.changes) })))
}
