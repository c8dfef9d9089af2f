/** Background jobs */
export const jobLimits = {
  /** Interval at which a process polls for due jobs */
  pollMilliseconds: 250,
  /** Lease: time until another process takes over the job of a killed process */
  leaseMilliseconds: 10_000,
  /** Lease renewal interval */
  renewMilliseconds: 2_000,
  /** Wait for running jobs at shutdown */
  stopMilliseconds: 3_000,
  /** First pause after a failed attempt; it doubles each time */
  pauseMilliseconds: 1_000,
  /** Random variation of pauses */
  pauseJitter: 0.2,
  /** Pause while the database is unavailable, which does not count as an attempt */
  outagePauseMilliseconds: 2_000,
  /** Length of the last error */
  errorCharacters: 2_000,
  /** Retention of failed jobs */
  failedDays: 30,
  /** Jobs of the kind `upkeep` at once, per process */
  maintenance: 3,
  /** Longest pause between attempts of a job of the kind `upkeep` */
  maintenancePauseSeconds: 600,
  /** Time after which a job of the kind `upkeep` lets others have their turn */
  maintenanceTurnMilliseconds: 2_000,
  /** Pause of a job of the kind `upkeep` that only another release knows */
  unknownTaskPauseMilliseconds: 5_000,
  /** Shortest pause of a timer after a failure */
  timerFailureSeconds: 2,
} as const

/** A service starts with one such value; only tests pass shorter times. */
export type JobLimits = {
  readonly [Name in `${'poll' | 'lease' | 'renew' | 'stop'}Milliseconds`]: number
}

/** Timers of each worker */
export const workerTimers = {
  /** Writes the last use of tokens */
  lastUseSeconds: 2,
  /** Writes the requests per project */
  usageSeconds: 3,
  /** Reads which projects are large */
  largeProjectSeconds: 30,
} as const

/** Timers of each process */
export const processTimers = {
  /** Numbers new events */
  eventNumberSeconds: 1,
  /** Exchanges rate limits with other processes on the database */
  rateLimitSeconds: 0.125,
  /** Adds recurring jobs that the database does not have */
  recurringJobSeconds: 60,
} as const

/** Maintenance jobs, one process per database at a time */
export const maintenanceTimers = {
  /** Merges product counts */
  productCountSeconds: 5,
  /** Adds pending index entries */
  indexEntrySeconds: 3,
  /** Updates product statistics */
  productStatisticSeconds: 5,
  /** Requests missing preparations of proposals */
  preparationSeconds: 30,
  /** Requests missing scoring */
  scoringSeconds: 30,
  /** Deletes stored responses, expired sessions and old failed jobs, and expires proposals */
  cleanupSeconds: 600,
  /** Applies new default quality rules */
  defaultRuleSeconds: 600,
  /** Deletes events after the retention period, if one is set */
  eventRetentionSeconds: 60,
} as const
