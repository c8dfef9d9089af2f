import { kibibyte, mebibyte } from '../platform/units.ts'

/** Command line */
export const commandLimits = {
  /** Pause before a worker that failed is replaced */
  restartMilliseconds: 1_000,
  /** Time that a stopping service gets before its process exits */
  stopMilliseconds: 11_000,
  /** Time that `catalog ready` waits for one response by default */
  readyMilliseconds: 3_000,
  /** Longest wait of `catalog ready --wait` */
  readyWaitSeconds: 3_600,
  /** Response that `catalog ready` reads */
  readyBytes: 64 * kibibyte,
  /** Pause of `catalog events` before it reads new events */
  eventPauseMilliseconds: 500,
  /** Events that `catalog events` reads at once */
  eventRows: 500,
  /** Size of the events that `catalog events` reads at once */
  eventBytes: 4 * mebibyte,
  /** Lines that `catalog proposal` reads at once */
  proposalLines: 100,
  /** Size of the lines that `catalog proposal` reads at once */
  proposalBytes: 8 * mebibyte,
  /** Interval at which `catalog proposal` updates its progress */
  progressMilliseconds: 200,
  /** Rows of `catalog jobs list`, `catalog webhook log` and `catalog run calls` */
  rows: 500,
  /** Rows of `catalog jobs list` by default */
  jobRowsByDefault: 50,
  /** Rows of `catalog webhook log` by default */
  attemptRowsByDefault: 20,
} as const
