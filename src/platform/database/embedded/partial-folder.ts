import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, processesNaming, sendSignal } from './process.ts'

const prefix = 'partial-'

/** A temporary folder for files that are moved into place when they are complete. */
export function partialFolder(parent: string): string {
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`))
}

/** If another process was faster, its result is used and this one is removed. */
export function moveIntoPlace(partial: string, target: string): void {
  try {
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

/** Removes the temporary folders of killed processes. */
export function removePartialFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const [, pid] = name.split('-')
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue
    const folder = join(parent, name)
    // The initdb of a killed process is still running.
    for (const left of processesNaming(folder, 'initdb')) sendSignal(left, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
