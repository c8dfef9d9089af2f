import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../setup/temporary-folder.ts'

/** A disk for one test. Undefined if the user cannot mount one. */
export function smallDisk(megabytes: number): string | undefined {
  const folder = temporaryFolder()
  const { status } = spawnSync('/bin/mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=755`,
    'tmpfs',
    folder,
  ])
  if (status !== 0) return undefined
  chmodSync(folder, 0o755)
  onTestFinished(() => void spawnSync('/bin/umount', ['-l', folder]))
  return folder
}

/** Fills the disk up to `leftBytes`. The returned function frees the space. */
export function fillDisk(folder: string, leftBytes: number): () => void {
  const file = join(folder, 'filler')
  const left = join(folder, 'left')
  write(left, leftBytes)
  write(file, Number.POSITIVE_INFINITY)
  rmSync(left, { force: true })
  return () => rmSync(file)
}

function write(file: string, bytes: number): void {
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(4096)
  try {
    for (let written = 0; written < bytes; written += block.length) writeSync(descriptor, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(descriptor)
  }
}
