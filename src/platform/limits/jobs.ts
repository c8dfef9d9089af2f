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
  /** Random variation of pauses, as a fraction */
  pauseJitter: 0.2,
  /** Pause while the database or the file store is unavailable, which does not count as an attempt */
  outagePauseMilliseconds: 2_000,
  /** Stored text of the last error */
  errorCharacters: 2_000,
  /** Retention of failed jobs */
  failedDays: 30,
  /** Concurrent `upkeep` jobs per process */
  maintenance: 3,
  /** Longest pause between attempts of an `upkeep` job */
  maintenancePauseSeconds: 600,
  /** Time after which an `upkeep` job lets other jobs run */
  maintenanceTurnMilliseconds: 2_000,
  /** Pause of an `upkeep` job that only another release supports */
  unknownTaskPauseMilliseconds: 5_000,
  /** Shortest pause after a repeated task fails */
  timerFailureSeconds: 2,
} as const

/** A service starts with one such value; only tests pass shorter times. */
export type JobLimits = {
  readonly [Name in `${'poll' | 'lease' | 'renew' | 'stop'}Milliseconds`]: number
}

/** Intervals of repeated tasks, per worker */
export const workerTimers = {
  /** Record when tokens were last used */
  lastUseSeconds: 2,
  /** Record the number of requests per project */
  usageSeconds: 3,
  /** Check which projects are large */
  largeProjectSeconds: 30,
} as const

/** Intervals of repeated tasks, per process */
export const processTimers = {
  /** Add new events to the feed */
  eventNumberSeconds: 1,
  /** Exchange rate-limit counts with other processes on the database */
  rateLimitSeconds: 0.125,
  /** Remove temporary files that interrupted uploads left */
  interruptedUploadSeconds: 600,
  /** Add recurring jobs that are missing in the database */
  recurringJobSeconds: 60,
} as const

/** Intervals of maintenance jobs, per database */
export const maintenanceTimers = {
  /** Merge product counts */
  productCountSeconds: 5,
  /** Add pending index entries */
  indexEntrySeconds: 3,
  /** Update product statistics */
  productStatisticSeconds: 5,
  /** Schedule proposals that still have to be prepared */
  preparationSeconds: 30,
  /** Schedule projects that still have to be scored */
  scoringSeconds: 30,
  /** Delete stored responses, expired sessions, old failed jobs and old notifications, and expire proposals */
  cleanupSeconds: 600,
  /** Apply new default quality rules */
  defaultRuleSeconds: 600,
  /** Remove files of interrupted uploads and of deleted media files */
  fileRemovalSeconds: 30,
  /** Find media files that nothing ever named */
  unusedFileSeconds: 3_600,
  /** Schedule thumbnails that still have to be made */
  thumbnailSeconds: 60,
  /** Delete events that exceed the event retention, if it is set */
  eventRetentionSeconds: 60,
} as const
