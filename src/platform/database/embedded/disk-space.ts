import { statfsSync } from 'node:fs'
import { embeddedLimits } from '../../limits/database.ts'
import { mebibyte } from '../../units.ts'

/** Returns why the disk of the folder accepts no writes at present, or undefined if it does. */
export function watchDiskSpace(folder: string): () => string | undefined {
  let checkedAt = Number.NEGATIVE_INFINITY
  let reason: string | undefined
  return () => {
    const now = performance.now()
    if (now - checkedAt >= embeddedLimits.diskCheckMilliseconds) {
      checkedAt = now
      reason = findShortage(folder)
    }
    return reason
  }
}

function findShortage(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < embeddedLimits.reservedBytes
    ? `less than ${embeddedLimits.reservedBytes / mebibyte} MiB are free for ${folder}, and PostgreSQL needs these to serve reads; free disk space`
    : undefined
}
