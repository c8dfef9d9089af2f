import { mebibyte, secondsOf } from '../../platform/units.ts'

/** Media files */
export const assetLimits = {
  /** File */
  bytes: 20 * mebibyte,
  /** Pixels of an image */
  pixels: 50_000_000,
  // The minimum that marketplaces accept.
  /** Longer side of an image; the console reports shorter ones as too small */
  smallPixels: 500,
  /** Time for fetching a file from a URL */
  fetchSeconds: 30,
  /** Concurrent uploads, per worker; then 503 `too_busy` */
  uploads: 8,
  /** Concurrent uploads, per worker and project; then 503 `too_busy` */
  uploadsOfProject: 2,
  /** Concurrent downloads of files, per worker; then 503 `too_busy` */
  downloads: 256,
  /** Concurrent downloads of files, per worker and project; then 503 `too_busy` */
  downloadsOfProject: 128,
  /** `Retry-After` while a thumbnail does not exist yet */
  thumbnailRetrySeconds: 2,
  // Longer than any upload can take.
  /** Time after which the service gives up an upload that a stopped process left */
  unfinishedSeconds: secondsOf.hour,
  /** Media keys that the service remembers as known, per worker */
  knownKeys: 10_000,
  // A file can be in every product.
  /** Products with a file that the console counts */
  countedUses: 100,
  /** Products with a file that the console lists */
  listedUses: 20,
  /** Assets that the sweep or a backup reads per statement */
  visitedAssets: 1_000,
  /** Files that the sweep removes per batch */
  removedFiles: 100,
  /** Attempts to make the thumbnails of an image */
  thumbnailAttempts: 2,
  /** Longest pause between these attempts */
  thumbnailPauseSeconds: 10,
  /** Pause of a thumbnail job while this installation cannot decode images */
  noDecoderSeconds: 60,
  /** Pause of the removal of a deleted project's files while no file can be removed */
  folderPauseSeconds: 60,
  /** Time from the last upload until the service deletes a file that no product has shown and no open proposal names */
  unusedSeconds: 30 * secondsOf.day,
} as const
