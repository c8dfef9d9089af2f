import type { JobKey, JobKind } from './job.ts'

type Limits = Pick<JobKind, 'maxConcurrent' | 'maxPerProject' | 'reserved'>

/**
 * Chooses among due jobs of one kind. Projects take turns by ID, after the project that was chosen last: no project gets a second slot
 * before every other has had a first, even if only one slot exists. A project that already runs a job leaves the reserved slots to
 * projects that run none. This is not a concurrency limit: it chooses rows that one statement claims together.
 */
export function chooseJobs<Job extends Pick<JobKey, 'projectId'>>(
  due: readonly Job[],
  running: readonly Pick<JobKey, 'projectId'>[],
  { maxConcurrent, maxPerProject, reserved }: Limits,
  lastProject = 0,
): Job[] {
  const runningOf = new Map<number, number>()
  for (const { projectId } of running) runningOf.set(projectId, (runningOf.get(projectId) ?? 0) + 1)
  const waiting = Map.groupBy(due, ({ projectId }) => projectId)
  const chosen: Job[] = []
  let taken = running.length
  const mayTake = (own: number) =>
    own < maxPerProject && taken < (own === 0 ? maxConcurrent : maxConcurrent - reserved)
  const inTurn = [...waiting.keys()].sort(
    (a, b) => Number(a <= lastProject) - Number(b <= lastProject) || a - b,
  )
  for (let isProgress = true; isProgress; ) {
    isProgress = false
    const fewestFirst = inTurn
      .filter((id) => waiting.has(id))
      .sort((a, b) => (runningOf.get(a) ?? 0) - (runningOf.get(b) ?? 0))
    for (const projectId of fewestFirst) {
      const own = runningOf.get(projectId) ?? 0
      const job = mayTake(own) ? waiting.get(projectId)?.shift() : undefined
      if (job === undefined) {
        waiting.delete(projectId)
        continue
      }
      chosen.push(job)
      runningOf.set(projectId, own + 1)
      taken += 1
      isProgress = true
    }
  }
  return chosen
}
