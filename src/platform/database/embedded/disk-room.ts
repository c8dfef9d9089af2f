import { statfsSync } from 'node:fs'

/** Without room for what it writes ahead PostgreSQL ends, and reads end with it. So writes stop while it still has this much. */
const reservedMebibytes = 128
const lookMilliseconds = 250

/** Tells why nothing may be written to the disk of the folder just now, or undefined where it may. */
export function watchRoom(folder: string): () => string | undefined {
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
  return bavail * bsize < reservedMebibytes * 1024 ** 2
    ? `less than ${reservedMebibytes} MiB are free for ${folder}, which PostgreSQL needs for reads to go on; make room`
    : undefined
}
