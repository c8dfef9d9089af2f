import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { isLong } from '../faults/scale.ts'
import { whenFileEnds } from './file-end.ts'

/** A folder for one test that every user can enter, including the user of the embedded server. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = createFolder(parent)
  onTestFinished(() => remove(folder))
  return folder
}

/** A data folder after its first start, with the schema, for one test. */
export function dataFolder(): string {
  const folder = createFolder(dataParent())
  onTestFinished(() => remove(folder))
  return copyDataFolder(folder)
}

/** The same for all tests of a file. Each test must leave the server intact. */
export function dataFolderOfFile(): string {
  const folder = createFolder(dataParent())
  whenFileEnds(() => remove(folder))
  return copyDataFolder(folder)
}

export function copyDataFolder(folder: string): string {
  return copyFolder(inject('dataFolder'), folder)
}

/** Copies with `cp`, because Node's copy does not keep the owner of files. */
export function copyFolder(from: string, to: string): string {
  execFileSync('cp', ['-a', `${from}/.`, to])
  return to
}

export function createFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'catalog-test-'))
  chmodSync(folder, 0o755)
  return folder
}

const memory = '/dev/shm'
const neededBytes = 8 * 1024 ** 3

/** In memory if there is space, which survives a killed process like a disk. Long forms measure, so they use a disk. */
export function dataParent(): string {
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
