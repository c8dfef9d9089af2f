import { queryableOf } from '../../platform/database/connections/connect.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { acquireMigrationLock } from '../../platform/database/migration/lock.ts'
import { type Release, thisRelease } from '../../platform/database/migration/migration-file.ts'
import { inTransaction } from '../../platform/database/migration/retries.ts'
import { readApplied } from '../../platform/database/migration/state.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { findOwner, listObjects, listTables, lockTables } from './schema.sql.ts'
import { listSchemaNames } from './schema-names.ts'

/** Creates the schema of a backup in an empty database, which stays empty if this is interrupted. */
export async function createSchema(
  database: Database,
  release: Release,
  report: (line: string) => void,
): Promise<void> {
  // Checked before anything is locked, in case this is the wrong database.
  refuseOwner(await findDatabaseOwner(database))
  const names = listSchemaNames(thisRelease().migrations)
  await database.session(async (client) => {
    await acquireMigrationLock(client, report)
    await inTransaction(client, ["lock_timeout = '10s'"], async () => {
      const inside = queryableOf(client)
      await refuseOwned(inside, names)
      await refuseForeign(inside)
      // Fails if other objects depend on it.
      for (const { kind, identifiers } of await listObjects(inside, names))
        await client.query(`drop ${kind} ${identifiers}`)
    })
  })
  // Logs nothing, because migrations are fast on an empty database.
  await migrate(database, { release })
}

/** Finds a project or user, which means that the database is not empty. */
export async function findDatabaseOwner(database: Queryable): Promise<string | undefined> {
  await refuseForeign(database)
  return findOwner(database)
}

/** Rejects objects that have our names but come from another program, because a restore would drop them. */
async function refuseForeign(database: Queryable): Promise<void> {
  const own = listSchemaNames(requireKnownMigrations(await readApplied(database), 'the database'))
  const others = listSchemaNames(thisRelease().migrations).filter((name) => !own.includes(name))
  const [found] = await listObjects(database, others)
  if (found === undefined) return
  throw new Error(
    `another program uses a name that Catalog Service needs (${found.kind} ${found.identifiers}); use a separate database`,
  )
}

/** Locks all tables until the transaction ends, so that no one can add a project after the check. */
export async function refuseOwned(inside: Queryable, names: string[]): Promise<void> {
  const tables = await listTables(inside, names)
  if (tables.length === 0) return
  await lockTables(inside, tables)
  refuseOwner(await findOwner(inside))
}

function refuseOwner(owner: string | undefined): void {
  if (owner === undefined) return
  throw new Error(
    `the database is not empty: it contains ${owner}; restore into a new database (DATABASE_URL) or a new folder (--data)`,
  )
}
