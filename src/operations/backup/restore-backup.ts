import type pg from 'pg'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { type Release, thisRelease } from '../../platform/database/migration/migration-file.ts'
import { waitUntil } from '../../platform/scheduling/retry.ts'
import { operationLimits } from '../limits.ts'
import { connectForCopy } from './copy-connection.ts'
import { createSchema } from './create-schema.ts'
import type { Manifest } from './manifest.ts'
import type { Backup } from './open-backup.ts'
import { type RestoreOptions, restoreRows } from './restore-rows.ts'
import { restoresMigration } from './restores.sql.ts'
import { listTables } from './schema.sql.ts'
import { listSchemaNames } from './schema-names.ts'

export type Restored = {
  manifest: Manifest
  /** Migrations newer than the backup, applied after the restore. */
  applied: string[]
}

/**
 * Loads a backup into an empty database in one transaction. If it fails, the database stays empty and you can restore the file
 * again.
 */
export async function restoreBackup(
  connection: pg.ClientConfig,
  backup: Backup,
  { signal, ...given }: RestoreOptions & { signal?: AbortSignal } = {},
): Promise<Restored> {
  const options: Required<RestoreOptions> = { ...quiet, ...given }
  const { report } = options
  const { manifest } = backup
  const release = releaseOf(manifest)
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 0 })
  try {
    const client = await connectForCopy(connection, signal)
    try {
      await takeRestoreLock(client)
      await createSchema(database, release, report)
      await restoreRows(client, backup, options)
      const tables = await listTables(database, listSchemaNames(release.migrations))
      await client.query(`analyze ${tables.map(({ identifier }) => identifier).join(', ')}`)
    } finally {
      // Also closes a connection that is still executing a statement.
      await client.end().catch(() => {})
    }
    return { manifest, applied: await migrate(database, { report }) }
  } finally {
    await database.close()
  }
}

const quiet: Required<RestoreOptions> = {
  report: () => {},
  onProgress: () => {},
  kind: 'restore',
  store: undefined,
  beforeCommit: async () => {},
}

/** The schema of the backup, with the table that records its restore. */
function releaseOf(manifest: Manifest): Release {
  const saved = new Set(manifest.migrations.map(({ name }) => name))
  const release = thisRelease()
  const migrations = release.migrations.filter(({ name }) => saved.has(name) || name === restoresMigration)
  return { ...release, migrations }
}

/** The server may still be executing the last statement of a killed restore. */
export async function takeRestoreLock(client: pg.Client): Promise<void> {
  const take = async () => {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${advisoryLocks.restore}) as taken`,
    )
    return rows[0]?.taken === true
  }
  if (
    !(await waitUntil(take, operationLimits.restorePollMilliseconds, operationLimits.restoreWaitMilliseconds))
  )
    throw new Error('another process is restoring a backup into this database; wait until it finishes')
}
