import { totalmem } from 'node:os'

import { embeddedLimits } from '../../limits/database.ts'
import { mebibyte } from '../../units.ts'

/** Shared buffers in MiB: a quarter of the memory of the machine or container. PostgreSQL allocates them as it uses them. */
export function sharedBuffers(total = memoryBytes()): number {
  const { leastBufferBytes, bufferBytes } = embeddedLimits
  return Math.floor(Math.min(bufferBytes, Math.max(leastBufferBytes, total / 4)) / mebibyte)
}

/** A container can have less memory than its machine. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
