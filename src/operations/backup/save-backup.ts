import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import type { Manifest } from './manifest.ts'
import { type BackupOptions, writeBackup } from './write-backup.ts'

export type SavedBackup = { manifest: Manifest; bytes: number }

/** Writes a backup to a temporary file and renames it when it is complete and on disk, so a partial file never has its name. */
export async function saveBackup(
  connection: pg.ClientConfig,
  file: string,
  { force = false, ...options }: BackupOptions & { force?: boolean } = {},
): Promise<SavedBackup> {
  refuseExisting(file, force)
  const folder = dirname(file)
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  // Only the owner may read it: it contains password and token hashes and the whole catalog.
  const handle = await open(partial, 'wx', 0o600).catch((error) => {
    throw new Error(`cannot create a file in ${folder}: ${error.message}`)
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

/** Never replaces a folder, pipe or device, because that is surely a mistake. */
function refuseExisting(file: string, force: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile())
    throw new Error(`${file} is not a regular file; use another name, or --output - for standard output`)
  if (!force) throw new Error(`${file} already exists; use another name, or --force to replace it`)
}

/** A rename is durable only after the folder is flushed too. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
