/** Background jobs */
export const jobLimits = {
  /** Interval at which a process looks for due jobs */
  lookMilliseconds: 250,
  /** Time after which another process continues the job of a process that was killed */
  leaseMilliseconds: 10_000,
  /** Interval at which a process renews the leases of its jobs */
  renewMilliseconds: 2_000,
  /** Time that a stopping process waits for its jobs */
  stopMilliseconds: 3_000,
  /** First pause after a failed attempt; each further pause is twice as long */
  pauseMilliseconds: 1_000,
  /** Share by which a pause varies at random */
  pauseJitter: 0.2,
  /** Pause while the database is not available, which does not count as an attempt */
  outagePauseMilliseconds: 2_000,
  /** Text of the last error */
  errorCharacters: 2_000,
  /** Time for which failed jobs are kept */
  failedDays: 30,
  /** Jobs of the kind `upkeep` at once, per process */
  upkeep: 3,
  /** Longest pause between attempts of `upkeep` */
  upkeepPauseSeconds: 600,
  /** Time after which a task of `upkeep` lets others have their turn */
  upkeepTurnMilliseconds: 2_000,
} as const

/** A service starts with one such value; only tests pass shorter times. */
export type JobLimits = {
  readonly [Name in `${'look' | 'lease' | 'renew' | 'stop'}Milliseconds`]: number
}
