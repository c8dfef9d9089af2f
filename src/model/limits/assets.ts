import { mebibyte, secondsOf } from '../../platform/units.ts'

/** Media files */
export const assetLimits = {
  /** File */
  bytes: 20 * mebibyte,
  /** Pixels of an image */
  pixels: 50_000_000,
  /** Concurrent uploads, per worker; then 503 `too_busy` */
  uploads: 8,
  /** Concurrent uploads, per worker and project; then 503 `too_busy` */
  uploadsOfProject: 2,
  // Longer than any upload can take.
  /** Time after which the service gives up an upload that a stopped process left */
  unfinishedSeconds: secondsOf.hour,
  /** Time after its upload after which the service removes a file that nothing ever named */
  unusedSeconds: 30 * secondsOf.day,
} as const
