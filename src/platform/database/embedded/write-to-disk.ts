import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes the current content of a file or folder survive a power loss. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Writes a file atomically, even if the process is killed. */
export function writeToDisk(file: string, text: string): void {
  const partial = `${file}.partial`
  writeFileSync(partial, text, { mode: 0o600 })
  syncToDisk(partial)
  renameSync(partial, file)
  syncToDisk(dirname(file))
}
