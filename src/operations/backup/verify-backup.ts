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
  /** Kept counts of products, and category links, that differ from the products. */
  wrongCounts: number
}

/** Restores the file into an embedded server of its own, which is gone afterwards, and compares what can be compared there. */
export async function verifyBackup(
  file: string,
  { signal, ...options }: RestoreOptions & { signal?: AbortSignal } = {},
): Promise<Verified> {
  const backup = await openBackup(file)
  const parent = requireTemporaryFolder()
  await removeLeft(parent)
  const folder = mkdtempSync(join(parent, `catalog-verify-${process.pid}-`))
  // The server may run as another user than we do.
  chmodSync(folder, 0o755)
  try {
    const { connection, release } = await leaseEmbeddedServer(folder)
    // Without the server every statement ends, whatever it is at.
    signal?.addEventListener('abort', () => void release(), { once: true })
    try {
      signal?.throwIfAborted()
      const restored = await restoreBackup(connection, backup, options)
      return { ...restored, wrongCounts: await askWrongCounts(connection) }
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
      `the temporary folder ${folder} cannot be used (${(error as Error).message}); create it, or set TMPDIR to another folder`,
    )
  }
}

/** A process that was killed leaves a server that nobody else would stop, with a copy of everything. */
async function removeLeft(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = /^catalog-verify-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const folder = join(parent, name)
    const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid
    if (owner === process.getuid?.()) await removeDataFolder(folder)
  }
}

async function askWrongCounts(connection: pg.ClientConfig): Promise<number> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  return countWrongCounts(database).finally(() => database.close())
}
