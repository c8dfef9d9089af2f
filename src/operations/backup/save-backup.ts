import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import type { Manifest } from './manifest.ts'
import { type BackupOptions, writeBackup } from './write-backup.ts'

export type SavedBackup = { manifest: Manifest; bytes: number }

/** Writes a backup beside its place and moves it there when it is whole and on disk: under its name there is never half of one. */
export async function saveBackup(
  connection: pg.ClientConfig,
  file: string,
  { force = false, ...options }: BackupOptions & { force?: boolean } = {},
): Promise<SavedBackup> {
  refuseExisting(file, force)
  const folder = dirname(file)
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  // For its owner alone: a backup holds hashes of passwords and tokens, and all that the catalog keeps.
  const handle = await open(partial, 'wx', 0o600).catch((error) => {
    throw new Error(`no file can be made in the folder ${folder}: ${error.message}`)
  })
  const output = handle.createWriteStream({ flush: true })
  try {
    const manifest = await writeBackup(connection, output, options)
    refuseExisting(file, force)
    await rename(partial, file)
    await flushFolder(folder)
    return { manifest, bytes: (await stat(file)).size }
  } catch (error) {
    output.destroy()
    await handle.close().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

/** A folder, a pipe or a device is never replaced: whoever names one means something else. */
function refuseExisting(file: string, force: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile())
    throw new Error(`${file} is no file; name one, or write to the standard output with --output -`)
  if (!force) throw new Error(`${file} exists already; choose another name, or replace it with --force`)
}

/** A new name is safe only when its folder is on disk too. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
