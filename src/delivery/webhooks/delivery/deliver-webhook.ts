import type { Writable } from '../../../platform/database/database.ts'
import type { JobResult, RunningJob } from '../../../platform/jobs/job.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import { deliverLane } from './deliver-lane.ts'
import { deliverParked } from './deliver-parked.ts'
import { type HeldLane, type LaneEnd, releaseLanes, takeLanes } from './lane.sql.ts'
import { readAhead } from './read-lanes.ts'
import type { Tools } from './try-event.ts'

/** Delivers the events of a webhook, several lanes at once, until none is left, its turn is over, or the rest has to wait. */
export async function deliverWebhook(database: Writable, tools: Tools, job: RunningJob): Promise<JobResult> {
  const webhookId = Number(job.key)
  const { limits } = tools.sender
  if (!(await tools.sender.isSafe())) return 'done'
  const target = await tools.findTarget({ projectId: job.projectId, webhookId })
  // Enabling the webhook, or restoring the API access of its project, requests the job again.
  if (target?.is_open !== true) return 'done'
  const { due, hasRetries } = await takeLanes(database, job, webhookId)
  const turn = { endsAt: performance.now() + limits.turn, signal: job.signal }
  for (const lane of due) tools.held.add(lane)
  try {
    const ahead = await readAhead(database, due, target, limits)
    const posts = limitConcurrency({ most: limits.lanesOfWebhookAtOnce, patienceSeconds: 0 })
    const [hasMoreRetries, ends] = await Promise.all([
      hasRetries && deliverParked(database, tools, { projectId: job.projectId, webhookId }, turn),
      Promise.all(
        due.map((lane) => posts.run(() => deliverLane(database, tools, lane, ahead.get(lane), turn))),
      ),
    ])
    return await release(database, job, webhookId, due, ends, hasMoreRetries)
  } finally {
    for (const lane of due) tools.held.delete(lane)
  }
}

async function release(
  database: Writable,
  job: RunningJob,
  webhookId: number,
  lanes: readonly HeldLane[],
  ends: readonly LaneEnd[],
  hasMoreRetries: boolean,
): Promise<JobResult> {
  const ended = lanes.map((lane, index) => ({ ...lane, ...(ends[index] as LaneEnd) }))
  const pause = await releaseLanes(database, job, webhookId, ended)
  if (hasMoreRetries) return { againInMilliseconds: 0 }
  return pause === undefined ? 'done' : { againInMilliseconds: pause }
}
