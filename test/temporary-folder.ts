import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { whenFileEnds } from './file-end.ts'

/** A folder for one test that every user may enter, as the embedded server's user must. */
export function temporaryFolder(): string {
  const folder = makeFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** A data folder after its first start, with the schema, for one test. */
export function dataFolder(): string {
  return copyDataFolder(temporaryFolder())
}

/** The same for all tests of a file: each leaves the server in it whole. */
export function dataFolderOfFile(): string {
  const folder = makeFolder()
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

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
