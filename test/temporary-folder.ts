import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { whenFileEnds } from './file-end.ts'

/** A folder for one test that every user may enter, as the embedded server's user must. */
export function temporaryFolder(): string {
  const folder = makeFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** The same for all tests of a file: each leaves the server in it whole, and making one takes long. */
export function folderOfFile(): string {
  const folder = makeFolder()
  whenFileEnds(() => remove(folder))
  return folder
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-test-'))
  chmodSync(folder, 0o755)
  return folder
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
