import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { runBuild } from '../../scripts/build/run-build.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { leaseEmbeddedServer } from '../../src/platform/database/embedded/lease.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { thisRelease } from '../../src/platform/database/migration/migration-file.ts'

/** Runs the work on a migrated database and deletes it. Services on it run from a build, as users run them. */
export async function onTemporaryDatabase(
  work: (database: Database, connection: pg.ClientConfig, folder: string) => Promise<void>,
  release = thisRelease(),
): Promise<void> {
  runBuild()
  const folder = mkdtempSync(join(tmpdir(), 'catalog-bench-'))
  chmodSync(folder, 0o755)
  const lease = await leaseEmbeddedServer(folder)
  const database = openDatabase({ connection: lease.connection, poolSize: 4, statementTimeoutSeconds: 0 })
  try {
    await migrate(database, { release })
    await work(database, lease.connection, folder)
  } finally {
    await database.close()
    await lease.release()
    rmSync(folder, { recursive: true, force: true })
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
