import { mebibyte } from '../units.ts'

/** File store */
export const fileStoreLimits = {
  /** Free disk space below which uploads return 503 `media_unavailable` */
  reservedBytes: 512 * mebibyte,
  /** Interval at which a service checks the store again after it was not usable */
  recheckMilliseconds: 5_000,
  /** Time that an S3 store has to receive a request and begin its response */
  requestMilliseconds: 30_000,
  /** Attempts of a request to an S3 store */
  attempts: 3,
  /** First pause between these attempts; it doubles */
  pauseMilliseconds: 100,
  /** Longest pause between these attempts */
  longestPauseMilliseconds: 1_000,
  /** Random variation of these pauses, as a fraction */
  pauseJitter: 0.2,
  /** Files that a backup or a check looks up at once */
  lookups: 16,
  /** Objects of an S3 store that are removed at once */
  removals: 8,
  /** Time after which the service removes the temporary file of an interrupted upload */
  incomingSeconds: 3_600,
} as const
