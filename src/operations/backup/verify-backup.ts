import { accessSync, chmodSync, constants, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { countWrongCounts } from '../../catalog/products/product-counts.sql.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { leaseEmbeddedServer } from '../../platform/database/embedded/lease.ts'
import { isAlive } from '../../platform/database/embedded/process.ts'
import { removeDataFolder } from '../../platform/database/embedded/remove-data-folder.ts'
import { openBackup } from './open-backup.ts'
import { type Restored, restoreBackup } from './restore-backup.ts'
import type { RestoreOptions } from './restore-rows.ts'

export type Verified = Restored & {
  /** Stored counts and category links that do not match the products. */
  wrongCounts: number
}

/** Restores the file into a temporary embedded server, checks the stored counts and removes the server. */
export async function verifyBackup(
  file: string,
  { signal, ...options }: RestoreOptions & { signal?: AbortSignal } = {},
): Promise<Verified> {
  const backup = await openBackup(file)
  const parent = requireTemporaryFolder()
  await removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `catalog-verify-${process.pid}-`))
  // The server may run as another user.
  chmodSync(folder, 0o755)
  try {
    const { connection, release } = await leaseEmbeddedServer(folder)
    // Stopping the server ends every statement.
    signal?.addEventListener('abort', () => void release(), { once: true })
    try {
      signal?.throwIfAborted()
      const restored = await restoreBackup(connection, backup, options)
      return { ...restored, wrongCounts: await readWrongCounts(connection) }
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

async function readWrongCounts(connection: pg.ClientConfig): Promise<number> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  return countWrongCounts(database).finally(() => database.close())
}
