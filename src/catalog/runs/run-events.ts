import { insertAuditEntry } from '../../access/audit/audit.sql.ts'
import { notifyUsers } from '../../access/notifications/notify-users.ts'
import type { EventType } from '../../model/events/event-types.ts'
import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findPromptName } from '../prompts/prompt.sql.ts'
import type { Run } from './run.schema.ts'
import { type RunRow, showRun } from './run.sql.ts'
import type { RunAction, RunState } from './run-states.ts'

/** A run that waits for a person has one event, whatever it waits for. */
const eventOfState: Partial<Record<RunState, EventType>> = {
  waiting: 'run.waiting',
  paused: 'run.waiting',
  stopped_at_budget: 'run.waiting',
  done: 'run.finished',
  cancelled: 'run.finished',
  failed: 'run.finished',
}

/** Runs spend money, so the audit trail records who starts, changes and stops them. */
export function recordRunAction(
  tx: Transaction,
  projectId: number,
  { actor }: ChangeAuthor,
  action: 'start' | RunAction,
  run: Pick<RunRow, 'id'>,
  details: object = {},
): Promise<void> {
  const entry = { action: `run.${action}`, projectId, target: `run ${run.id}`, details }
  return insertAuditEntry(tx, { name: actor }, entry)
}

export async function recordStart(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  run: RunRow,
): Promise<void> {
  const objects = [{ id: run.id, before: null, after: showRun(run) }]
  await recordEvents(tx, projectId, { ...author, type: 'run.started', objects })
  const { prompt, version_number, provider, model, products, cost } = showRun(run)
  const budget = budgetText(cost)
  await recordRunAction(tx, projectId, author, 'start', run, {
    ...{ prompt, version_number, provider, model, products, budget },
  })
}

/** Null without a budget. */
export function budgetText({ budget, currency }: Pick<Run['cost'], 'budget' | 'currency'>): string | null {
  return budget === null ? null : `${budget} ${currency}`
}

/** Records that a locked run entered a state, and notifies the member who started it in the console. */
export async function recordStop(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  { before, after }: { before: RunRow; after: RunRow },
): Promise<void> {
  const type = eventOfState[after.state]
  if (type === undefined || before.state === after.state) return
  const objects = [{ id: after.id, before: showRun(before), after: showRun(after) }]
  await recordEvents(tx, projectId, { ...author, type, objects })
  const isOwn = author.source === 'console' && author.actor === after.actor
  if (after.source !== 'console' || isOwn) return
  const title = await findPromptName(tx, projectId, after.prompt_id)
  await notifyUsers(tx, {
    ...{
      kind: type === 'run.waiting' ? 'run_waiting' : 'run_finished',
      projectId,
      to: { email: after.actor },
    },
    ...{ objectId: after.id, title, state: after.state },
  })
}
