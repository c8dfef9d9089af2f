import { runLimits } from '../../../model/limits/runs.ts'
import type { RunKey } from '../run.sql.ts'
import type { ClaimedCall } from './claim-calls.ts'
import { slowDown } from './provider-slots.sql.ts'
import { interrupted, readOutcome } from './read-outcome.ts'
import type { DriveTools } from './run-context.ts'
import { settleCall } from './settle-call.ts'

/** Makes a claimed call and settles it. After a 429, the provider gets fewer calls. */
export async function makeCall(
  tools: DriveTools,
  key: RunKey,
  owner: string,
  call: ClaimedCall,
  signal: AbortSignal,
): Promise<void> {
  const { provider } = call.context
  const startedAt = performance.now()
  const request = { ...call.request, signal, project: key.projectId }
  const response = await tools.models.call(provider, request).finally(call.leave)
  tools.countCall(response.outcome)
  const outcome =
    signal.aborted && response.outcome !== 'values' ? interrupted(call) : readOutcome(call, response)
  const { jobs } = tools.database
  const limited = await settleCall(jobs, key, { place: call.place, owner }, outcome)
  if (!outcome.isLimited || response.outcome === 'values') return
  const doubled = runLimits.limitedMilliseconds * 2 ** Math.min(limited, 10)
  const pauseMilliseconds =
    response.retryAfterMilliseconds ?? Math.min(doubled, runLimits.longestLimitedMilliseconds)
  const secondsAgo = (performance.now() - startedAt) / 1000
  const { concurrency } = provider
  await slowDown(jobs, key.projectId, provider.name, { concurrency, secondsAgo, pauseMilliseconds })
}
