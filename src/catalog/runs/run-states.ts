export const runStates = [
  'sampling',
  'waiting',
  'running',
  'done',
  'stopped_at_budget',
  'paused',
  'cancelled',
  'failed',
] as const
export type RunState = (typeof runStates)[number]

/** What clients can do with a run. */
export type RunAction = 'continue' | 'pause' | 'cancel' | 'raise'

/** States in which a run makes calls. */
const activeStates = ['sampling', 'running'] as const satisfies RunState[]
/** States that a run can leave. */
export const unfinishedStates = [
  ...activeStates,
  'waiting',
  'paused',
  'stopped_at_budget',
] as const satisfies RunState[]

const allowed: Record<RunAction, readonly RunState[]> = {
  continue: ['waiting', 'paused', 'stopped_at_budget'],
  pause: activeStates,
  cancel: unfinishedStates,
  raise: unfinishedStates,
}

export function isAllowed(action: RunAction, state: RunState): boolean {
  return allowed[action].includes(state)
}

export function isActive(state: RunState): boolean {
  return (activeStates as readonly RunState[]).includes(state)
}

/** Why a run waits or stopped. */
export const runReasons = [
  'by_user',
  'run_budget',
  'budget_required',
  'month_budget',
  'usage_over_limit',
  'failures_in_row',
  'rate_limited',
  'token_revoked',
  'access_lost',
  'view_gone',
  'provider_gone',
  'provider_disabled',
  'key_unreadable',
  'currency_mismatch',
  'too_many_proposals',
  'restored',
  'unexpected_error',
] as const
export type RunReason = (typeof runReasons)[number]

/** The state that a run is about to enter, once its calls have ended and their responses are proposed. */
export type Stop = { state: Exclude<RunState, 'sampling' | 'running'>; reason: RunReason | null }

/** What remains of a run: calls in progress, and products without a call, in the sample and in total. */
export type Remaining = { calling: number; waitingInSample: number; waiting: number }

/** What follows from what remains. Undefined while there is something to do. */
export function stopOf(
  { state, sample, stop }: { state: RunState; sample: number; stop: Stop | null },
  { calling, waitingInSample, waiting }: Remaining,
): Stop | undefined {
  if (calling > 0) return undefined
  if (waiting === 0 && stop?.state !== 'cancelled') return { state: 'done', reason: null }
  if (stop !== null) return stop
  const isSampled = state === 'sampling' && sample > 0 && waitingInSample === 0
  return isSampled ? { state: 'waiting', reason: null } : undefined
}

/** The state of a run that continues: a sample that is not complete is completed first. */
export function stateAfterContinue(from: RunState, waitingInSample: number): 'sampling' | 'running' {
  return from !== 'waiting' && waitingInSample > 0 ? 'sampling' : 'running'
}
