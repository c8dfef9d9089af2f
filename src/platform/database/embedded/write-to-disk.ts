import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What a file or folder holds by now outlives a loss of power. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** The whole text or what was there before, whenever the process is killed. */
export function writeToDisk(file: string, text: string): void {
  const partial = `${file}.partial`
  writeFileSync(partial, text, { mode: 0o600 })
  syncToDisk(partial)
  renameSync(partial, file)
  syncToDisk(dirname(file))
}
