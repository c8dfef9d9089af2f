import { notifyUsers } from '../../access/notifications/notify-users.ts'
import { deliveryKind } from '../../delivery/webhooks/delivery-job.ts'
import type { JobEnd, JobEnds } from '../../platform/jobs/job.ts'
import { jobEnds } from './job-ends.ts'

/** The ends of jobs that run out of attempts. Failed jobs of one kind share a notification. */
export const notifyingEnds: JobEnds = Object.fromEntries(
  Object.entries(jobEnds).map(([kind, end]) => [kind, kind === deliveryKind ? end : notifying(kind, end)]),
)

/** Webhooks have notifications of their own, and the jobs of the service concern no project. */
function notifying(kind: string, end: JobEnd): JobEnd {
  return {
    ...end,
    async giveUp(tx, job, reason) {
      await end.giveUp?.(tx, job, reason)
      const { projectId } = job
      if (projectId > 0)
        await notifyUsers(tx, { kind: 'job_failed', projectId, to: 'managers', subject: kind, title: kind })
    },
  }
}
