import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, processesNaming, sendSignal } from './process.ts'

const prefix = 'partial-'

/** A folder to build something in, unseen until it is moved into place whole. */
export function partialFolder(parent: string): string {
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`))
}

/** If another process was faster, its result stands and ours is dropped. */
export function moveIntoPlace(partial: string, target: string): void {
  try {
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

/** Removes what processes left behind that were killed while they built. */
export function removePartialFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const [, pid] = name.split('-')
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue
    const folder = join(parent, name)
    // Its initdb works on, for a folder that nobody waits for.
    for (const left of processesNaming(folder, 'initdb')) sendSignal(left, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
