import { statfsSync } from 'node:fs'
import { embeddedLimits } from '../../limits/database.ts'
import { mebibyte } from '../../units.ts'

const lookMilliseconds = 250

/** Tells why nothing may be written to the disk of the folder just now, or undefined where it may. */
export function watchDiskSpace(folder: string): () => string | undefined {
  let lookedAt = Number.NEGATIVE_INFINITY
  let fault: string | undefined
  return () => {
    const now = performance.now()
    if (now - lookedAt >= lookMilliseconds) {
      lookedAt = now
      fault = findFault(folder)
    }
    return fault
  }
}

function findFault(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < embeddedLimits.reservedBytes
    ? `less than ${embeddedLimits.reservedBytes / mebibyte} MiB are free for ${folder}, which PostgreSQL needs for reads to go on; make room`
    : undefined
}
