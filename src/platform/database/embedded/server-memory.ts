import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024
/** More would cost every start, and a catalog that outgrows it is for a server of its own. */
const most = 2_048
const least = 128

/** What the server keeps of the tables in memory, in MiB: a quarter of what this machine or its container has. It is taken as it is used. */
export function sharedBuffers(total = memoryBytes()): number {
  return Math.min(most, Math.max(least, Math.floor(total / 4 / mebibyte)))
}

/** A container may have less than its machine. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
