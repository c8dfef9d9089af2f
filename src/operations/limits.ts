import { gibibyte, mebibyte } from '../platform/units.ts'

/** Doctor */
export const doctorLimits = {
  /** Certificate: validity below which the doctor warns */
  certificateDays: 21,
  /** Disk: free space below which the doctor warns */
  scarceBytes: 2 * gibibyte,
  /** Disk: free space below which the check fails */
  fullBytes: gibibyte / 4,
  /** Clock: difference from the database above which the doctor warns */
  clockWarningSeconds: 2,
  /** Clock: difference from the database above which the check fails */
  clockFailureSeconds: 300,
  // For commands and the tools of the operator.
  /** Connections: number that the server allows beyond the pool */
  spareConnections: 10,
  // A service numbers events within a second or two.
  /** Events: age of an event outside the feed above which the doctor warns */
  eventSeconds: 60,
  // A service starts a due job within a second, unless all slots of its kind are taken.
  /** Jobs: time since a job is due above which the doctor warns */
  dueSeconds: 60,
} as const

/** Backups and deletions */
export const operationLimits = {
  /** Longest pause between attempts of a scheduled backup */
  backupPauseSeconds: 600,
  // A clock change must not delay a backup for long.
  /** Longest interval at which a service checks the backup schedule */
  backupPollMilliseconds: 30_000,
  // For the schema of this release it takes about 20 KiB.
  /** Manifest of a backup */
  manifestBytes: 4 * mebibyte,
  /** Time that a restore waits for sole use of the database */
  restoreWaitMilliseconds: 10_000,
  /** Time that a restore or a move waits for other processes to release the database */
  releaseWaitMilliseconds: 2_000,
  /** Time that an upgrade of the embedded PostgreSQL waits for the old server to stop */
  upgradeStopSeconds: 120,
  /** Rows that one statement deletes when a project is deleted */
  deletedRows: 5_000,
  /** Products whose rows one statement deletes when a project is deleted */
  deletedProducts: 1_000,
  /** Rounds of a project deletion while other writers add rows */
  deletionRounds: 20,
} as const
