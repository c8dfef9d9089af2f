import { thumbnailEnd, thumbnailKind } from '../../catalog/assets/thumbnail-job.ts'
import { folderEnd, folderKind } from '../../catalog/media-store/remove-folders.ts'
import { preparationKind } from '../../catalog/proposals/preparation.sql.ts'
import { preparationEnd } from '../../catalog/proposals/prepare-proposals.ts'
import { scoringEnd } from '../../catalog/quality/scoring-job.sql.ts'
import { scoringKind } from '../../catalog/rulesets/scoring-job.ts'
import { runEnd } from '../../catalog/runs/run-end.ts'
import { runKind } from '../../catalog/runs/run-job.ts'
import { deliveryEnd, deliveryKind } from '../../delivery/webhooks/delivery-job.ts'
import type { JobEnds } from '../../platform/jobs/job.ts'
import { maintenanceKind } from '../../platform/jobs/recurring.ts'
import { backupKind } from '../backup/schedule-backups.ts'
import { pictureKind } from '../demo/demo-pictures.ts'

const recurring = { whyKept: 'the service needs this recurring job' }

/** All kinds of jobs, and how a failure, cancellation or retry changes the object that the job works on. */
export const jobEnds: JobEnds = {
  [deliveryKind]: deliveryEnd,
  [preparationKind]: preparationEnd,
  [scoringKind]: scoringEnd,
  [runKind]: runEnd,
  [thumbnailKind]: thumbnailEnd,
  [folderKind]: folderEnd,
  [pictureKind]: {},
  [maintenanceKind]: recurring,
  [backupKind]: recurring,
}

/** Without a schedule, no service runs a backup job that another service left in the table. */
export function kindsOf({ backupEvery }: { backupEvery?: string | undefined }): string[] {
  return Object.keys(jobEnds).filter((kind) => kind !== backupKind || backupEvery !== undefined)
}
