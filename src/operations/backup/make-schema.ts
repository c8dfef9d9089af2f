import { queryableOf } from '../../platform/database/connections/connect.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { acquireMigrationLock } from '../../platform/database/migration/lock.ts'
import { type Release, thisRelease } from '../../platform/database/migration/migration-file.ts'
import { inTransaction } from '../../platform/database/migration/retries.ts'
import { readApplied } from '../../platform/database/migration/state.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { ownNames } from './own-names.ts'
import { findOwner, listObjects, listTables, lockTables } from './schema.sql.ts'

/** Makes the schema of a backup in an empty database. One that is cut short leaves it empty. */
export async function makeSchema(
  database: Database,
  release: Release,
  report: (line: string) => void,
): Promise<void> {
  // Before anything is locked: somebody may have named the wrong database.
  refuseOwner(await lookForOwner(database))
  const names = ownNames(thisRelease().migrations)
  await database.session(async (client) => {
    await acquireMigrationLock(client, report)
    await inTransaction(client, ["lock_timeout = '10s'"], async () => {
      const inside = queryableOf(client)
      await refuseOwned(inside, names)
      await refuseForeign(inside)
      // What others built on it makes this fail.
      for (const { kind, identifiers } of await listObjects(inside, names))
        await client.query(`drop ${kind} ${identifiers}`)
    })
  })
  // Without a word: on an empty database nothing takes long.
  await migrate(database, { release })
}

/** The project or user that makes a database no target. */
export async function lookForOwner(database: Queryable): Promise<string | undefined> {
  await refuseForeign(database)
  return findOwner(database)
}

/** Another program may have a table that is called like one of ours: what no migration has made is not ours to drop. */
async function refuseForeign(database: Queryable): Promise<void> {
  const own = ownNames(requireKnownMigrations(await readApplied(database), 'the database'))
  const others = ownNames(thisRelease().migrations).filter((name) => !own.includes(name))
  const [found] = await listObjects(database, others)
  if (found === undefined) return
  throw new Error(
    `the database has something of another program under a name of ours (${found.kind} ${found.identifiers}); name a database of its own`,
  )
}

/** Holds every table until the transaction ends, so that nobody adds a project after the look. */
export async function refuseOwned(inside: Queryable, names: string[]): Promise<void> {
  const tables = await listTables(inside, names)
  if (tables.length === 0) return
  await lockTables(inside, tables)
  refuseOwner(await findOwner(inside))
}

function refuseOwner(owner: string | undefined): void {
  if (owner === undefined) return
  throw new Error(
    `the database is not empty, it has ${owner}; a backup is restored into an empty one: name a new database in DATABASE_URL, or a new folder with --data`,
  )
}
