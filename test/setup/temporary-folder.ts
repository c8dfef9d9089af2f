import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { isLong } from '../faults/scale.ts'
import { whenFileEnds } from './file-end.ts'

/** A folder for one test that every user may enter, as the embedded server's user must. */
export function temporaryFolder(): string {
  const folder = makeFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** A data folder after its first start, with the schema, for one test. */
export function dataFolder(): string {
  const folder = makeFolder(placeOfData())
  onTestFinished(() => remove(folder))
  return copyDataFolder(folder)
}

/** The same for all tests of a file: each leaves the server in it whole. */
export function dataFolderOfFile(): string {
  const folder = makeFolder(placeOfData())
  whenFileEnds(() => remove(folder))
  return copyDataFolder(folder)
}

export function copyDataFolder(folder: string): string {
  return copyFolder(inject('dataFolder'), folder)
}

/** Copies with `cp`, because Node's own copy would make the files of the server's user ours. */
export function copyFolder(from: string, to: string): string {
  execFileSync('cp', ['-a', `${from}/.`, to])
  return to
}

export function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'catalog-test-'))
  chmodSync(folder, 0o755)
  return folder
}

const memory = '/dev/shm'
const neededBytes = 8 * 1024 ** 3

/** In memory where there is room: what a killed process leaves behind is there as on a disk. Long forms measure, and do so on a disk. */
export function placeOfData(): string {
  if (isLong) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize < neededBytes ? tmpdir() : memory
  } catch {
    return tmpdir()
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
