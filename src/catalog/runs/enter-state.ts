import type { Transaction } from '../../platform/database/database.ts'
import { addModelOutcomes } from '../prompts/model-outcomes.sql.ts'
import { writtenBy } from './propose-responses.ts'
import { setCounted } from './responses.sql.ts'
import { type RunKey, type RunRow, requireRun, updateRunState } from './run.sql.ts'
import { recordStop } from './run-events.ts'
import type { Stop } from './run-states.ts'

/** Ends or stops a locked run, and records it. */
export async function enterState(
  tx: Transaction,
  key: RunKey,
  run: RunRow,
  next: Stop,
  proposalId: number | undefined,
): Promise<void> {
  await updateRunState(tx, key, next, proposalId)
  await countCost(tx, key, run)
  const author = { actor: run.actor, source: 'service' } as const
  await recordStop(tx, key.projectId, author, { before: run, after: await requireRun(tx, key) })
}

async function countCost(tx: Transaction, key: RunKey, run: RunRow): Promise<void> {
  const cost = run.spent - run.counted
  if (cost === 0) return
  await setCounted(tx, key)
  await addModelOutcomes(tx, key.projectId, [{ ...writtenBy(run), cost }])
}
