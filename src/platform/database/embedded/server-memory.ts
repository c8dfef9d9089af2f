import { totalmem } from 'node:os'

import { embeddedLimits } from '../../limits/database.ts'
import { mebibyte } from '../../units.ts'

/** What the server keeps of the tables in memory, in MiB: a quarter of what this machine or its container has. It is taken as it is used. */
export function sharedBuffers(total = memoryBytes()): number {
  const { leastBufferBytes, bufferBytes } = embeddedLimits
  return Math.floor(Math.min(bufferBytes, Math.max(leastBufferBytes, total / 4)) / mebibyte)
}

/** A container may have less than its machine. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
