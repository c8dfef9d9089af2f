import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { compareFiles, type FileComparison } from '../../catalog/media-store/compare-files.ts'
import { countOriginals, isOriginal, listOriginals } from '../../catalog/media-store/stored-files.sql.ts'
import { countWrongCounts } from '../../catalog/products/product-counts.sql.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { leaseEmbeddedServer } from '../../platform/database/embedded/lease.ts'
import { isAlive } from '../../platform/database/embedded/process.ts'
import { removeDataFolder } from '../../platform/database/embedded/remove-data-folder.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { type Backup, openBackup } from './open-backup.ts'
import { type Restored, restoreBackup } from './restore-backup.ts'
import type { RestoreOptions } from './restore-rows.ts'

export type Verified = Restored & {
  /** Stored counts and category links that do not match the products. */
  wrongCounts: number
  /** Uploaded files, compared with the backup if it includes files, and otherwise with the store. */
  media: FileComparison | undefined
}

type VerifyOptions = RestoreOptions & {
  signal?: AbortSignal
  /** The store that has the files of the original database. */
  compareWith?: FileStore | undefined
}

/** Restores the file into a temporary embedded server, checks the stored counts and removes the server. */
export async function verifyBackup(
  file: string,
  { signal, compareWith, ...options }: VerifyOptions = {},
): Promise<Verified> {
  const backup = await openBackup(file)
  const parent = requireTemporaryFolder()
  await removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `catalog-verify-${process.pid}-`))
  // The server may run as another user.
  chmodSync(folder, 0o755)
  try {
    const { connection, release } = await leaseEmbeddedServer(folder, { isTemporary: true })
    // Stopping the server ends every statement.
    signal?.addEventListener('abort', () => void release(), { once: true })
    try {
      signal?.throwIfAborted()
      const restored = await restoreBackup(connection, backup, options)
      return { ...restored, ...(await compareStored(connection, backup, compareWith)) }
    } finally {
      await release()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function requireTemporaryFolder(): string {
  const folder = tmpdir()
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    throw new Error(
      `cannot use the temporary folder ${folder} (${(error as Error).message}); create it, or set TMPDIR to another folder`,
    )
  }
}

/** A killed process leaves a running server with a copy of all data. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = /^catalog-verify-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const folder = join(parent, name)
    const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid
    if (owner === process.getuid?.()) await removeDataFolder(folder)
  }
}

async function compareStored(
  connection: pg.ClientConfig,
  backup: Backup,
  store: FileStore | undefined,
): Promise<Pick<Verified, 'wrongCounts' | 'media'>> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    const wrongCounts = await countWrongCounts(database)
    if (backup.manifest.media?.included !== undefined)
      return { wrongCounts, media: await compareSaved(database, backup) }
    return { wrongCounts, media: store && (await compareFiles(listOriginals(database), store)) }
  } finally {
    await database.close()
  }
}

/** Checks the hash of every file in the backup, and that it belongs to an asset. */
async function compareSaved(database: Database, { mediaFiles }: Backup): Promise<FileComparison> {
  const { files } = await countOriginals(database)
  let known = 0
  for await (const { open, ...saved } of mediaFiles()) {
    const digest = createHash('sha256')
    for await (const part of open()) digest.update(part)
    if (digest.digest('hex') === saved.hash && (await isOriginal(database, saved))) known += 1
  }
  return { files, missing: files - known, example: undefined }
}
