import type { JobKey } from '../../platform/jobs/job.ts'

export const scoringKind = 'quality.score'

/** The job that scores the products of a project. */
export function scoringJob(projectId: number): JobKey {
  return { projectId, kind: scoringKind, key: '' }
}
