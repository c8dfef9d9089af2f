import { mebibyte } from '../units.ts'

/** Process that decodes images */
export const imageLimits = {
  /** Processor time for one image; then the process is killed */
  processorMilliseconds: 10_000,
  // Longer, because the process has a low priority and a busy machine must not fail images.
  /** Time for one image; then the process is killed */
  imageMilliseconds: 30_000,
  /** Resident memory; then the process is killed */
  residentBytes: 512 * mebibyte,
  /** Start */
  startMilliseconds: 30_000,
  /** Idle time; then the process ends */
  idleMilliseconds: 20_000,
  /** Interval at which the process checks its memory and processor time */
  checkMilliseconds: 20,
} as const

/** Only tests pass other values. */
export type ImageLimits = { readonly [Name in keyof typeof imageLimits]: number }
