import { queryableOf } from '../database/connect.ts'
import type { Database, Queryable } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { takeMigrationLock } from '../database/migration/lock.ts'
import { type Release, thisRelease } from '../database/migration/migration-file.ts'
import { inTransaction } from '../database/migration/retries.ts'
import { readApplied } from '../database/migration/state.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { ownNames } from './own-names.ts'
import { findOwner, listDrops, listTables, lockTables } from './schema.sql.ts'

/** Makes the schema of a backup in an empty database. One that is cut short leaves it empty. */
export async function makeSchema(
  database: Database,
  release: Release,
  tell: (line: string) => void,
): Promise<void> {
  requireKnownMigrations(await readApplied(database), 'the database')
  // Before anything is locked: somebody may have named the wrong database.
  refuseOwner(await findOwner(database))
  const names = ownNames(thisRelease().migrations)
  await database.session(async (client) => {
    await takeMigrationLock(client, tell)
    await inTransaction(client, ["lock_timeout = '10s'"], async () => {
      const inside = queryableOf(client)
      await refuseOwned(inside, names)
      for (const drop of await listDrops(inside, names)) await client.query(drop)
    })
  })
  // Without a word: on an empty database nothing takes long.
  await migrate(database, { release })
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
