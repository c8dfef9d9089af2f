import { gibibyte, mebibyte } from '../platform/units.ts'

/** Doctor */
export const doctorLimits = {
  /** Certificate: remaining validity below which the doctor warns */
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
  /** Connections: reserve beyond the pool */
  spareConnections: 10,
  // A service numbers events within a second or two.
  /** Events: age of an unnumbered event above which the doctor warns */
  eventSeconds: 60,
  // A service starts a due job within a second, unless all slots of its kind are taken.
  /** Jobs: delay of a due job above which the doctor warns */
  dueSeconds: 60,
  /** Sign-in: authenticator apps whose secrets the doctor decrypts */
  checkedApps: 10_000,
  /** Media: files that the doctor compares with the store */
  comparedFiles: 10_000,
} as const

/** Backups and deletions */
export const operationLimits = {
  /** Longest pause between attempts of a scheduled backup */
  backupPauseSeconds: 600,
  // A clock change must not delay a backup for long.
  /** Maximum check interval of the backup schedule */
  backupPollMilliseconds: 30_000,
  // For the schema of this release it takes about 20 KiB.
  /** Manifest of a backup */
  manifestBytes: 4 * mebibyte,
  /** Wait of a restore for exclusive use of the database */
  restoreWaitMilliseconds: 10_000,
  /** Check interval of a restore that waits for the database */
  restorePollMilliseconds: 100,
  /** Time that a restore or a move waits for other processes to release the database */
  releaseWaitMilliseconds: 2_000,
  /** Wait of a PostgreSQL upgrade for the old server to stop */
  upgradeStopSeconds: 120,
  /** Rows deleted per statement of a project deletion */
  deletedRows: 5_000,
  /** Products deleted per statement of a project deletion */
  deletedProducts: 1_000,
  /** Rounds of a project deletion while other writers add rows */
  deletionRounds: 20,
} as const

/** Demo */
export const demoLimits = {
  /** Products that get their pictures together */
  pictureProducts: 20,
  /** Attempts to load pictures */
  pictureAttempts: 10,
  /** Longest pause between these attempts */
  picturePauseSeconds: 60,
} as const
