import type pg from 'pg'
import { schemaUpgradeLimits } from '../limits/database.ts'
import { queryableOf } from './connections/connect.ts'
import type { Database } from './database.ts'
import { acquireMigrationLock, waitForMigrations } from './migration/lock.ts'
import { type Migration, newestRelease, type Release, thisRelease } from './migration/migration-file.ts'
import { inTransaction, type MigrationLimits, retryWhileLocked } from './migration/retries.ts'
import { runMigration } from './migration/run-migration.ts'
import { type MigrationState, readMigrationState, refuseForeignSchema } from './migration/state.ts'
import { findReadOnlyReason, writableAdvice } from './read-only.ts'

export const oldestServer = 15

type MigrateOptions = Partial<MigrationLimits> & { release?: Release }

/** Applies missing migrations, one process at a time. Returns the names of those it applied. */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const {
    release = thisRelease(),
    maxLockWaitSeconds = schemaUpgradeLimits.maxLockWaitSeconds,
    report = () => {},
  } = options
  const limits = { maxLockWaitSeconds, report }
  const state = await readMigrationState(database, release)
  refuseForeignSchema(state)
  if (state.pending.length === 0) return []
  const readOnly = await findReadOnlyReason(database)
  if (readOnly !== undefined)
    throw new Error(
      `${readOnly}, but migrations must be applied first: ${state.pending.join(', ')}; ${writableAdvice}`,
    )
  const applied = await database.session(async (client) => {
    await refuseOldServer(client)
    await acquireMigrationLock(client, report)
    await prepareTable(client, limits)
    // Another process may have migrated in the meantime.
    refuseForeignSchema(await readMigrationState(queryableOf(client), release))
    const missing = await findMissing(client, release.migrations)
    // An empty database is migrated quickly: one message instead of one per migration.
    const isNew = missing.length === release.migrations.length
    if (isNew) report('creating the database schema')
    const reported = isNew ? { ...limits, report: () => {} } : limits
    for (const migration of missing) await runMigration(client, migration, reported)
    return missing.map(({ name }) => name)
  })
  refuseForeignSchema(await readMigrationState(database, release))
  return applied
}

/**
 * For commands, which do not migrate: a service of an older version may run on this schema, and could not start again on a newer
 * one. An empty database has no such service, so its schema is created.
 */
export async function requireSchema(
  database: Database,
  { release = thisRelease(), report = () => {} }: Pick<MigrateOptions, 'release' | 'report'> = {},
): Promise<void> {
  const state = await settledState(database, release, report)
  refuseForeignSchema(state)
  if (state.pending.length === 0) return
  if (state.pending.length === release.migrations.length)
    return void (await migrate(database, { release, report }))
  const pending = release.migrations.filter(({ name }) => state.pending.includes(name))
  const oldest = newestRelease(pending.map(({ oldestRelease }) => oldestRelease))
  throw new Error(
    `the database lacks ${state.pending.join(', ')}, which this version needs; stop the services ${oldest === undefined ? 'of older versions' : `older than ${oldest}`}, then run "catalog migrate" or start the service`,
  )
}

/** Waits for another process that may be about to migrate. */
async function settledState(
  database: Database,
  release: Release,
  report: (line: string) => void,
): Promise<MigrationState> {
  let state = await readMigrationState(database, release)
  for (let unchanged = 0; unchanged < 2 && state.pending.length > 0 && state.applied.length > 0; ) {
    await waitForMigrations(database, report)
    const next = await readMigrationState(database, release)
    unchanged = next.pending.length === state.pending.length ? unchanged + 1 : 0
    state = next
  }
  return state
}

async function refuseOldServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ number: string }>(
    `select current_setting('server_version_num') as number`,
  )
  const major = Math.floor(Number(rows[0]?.number) / 10_000)
  if (major < oldestServer)
    throw new Error(`PostgreSQL ${oldestServer} or newer is required, but this server is version ${major}`)
}

/** The first releases created the table without its last two columns. Checked first, because a change locks out all readers. */
async function prepareTable(client: pg.ClientBase, limits: MigrationLimits): Promise<void> {
  const { rows } = await client.query<{ made: boolean; complete: boolean }>(`
    select count(*) > 0 as made, count(*) filter (where attname = 'is_complete') > 0 as complete
    from pg_attribute where attrelid = to_regclass('migrations')`)
  if (rows[0]?.complete === true) return
  const change = rows[0]?.made === true ? addColumns : createTable
  const retry = retryWhileLocked('the migrations table', limits)
  await retry(() => inTransaction(client, [], () => client.query(change)))
}

const addColumns = `
  alter table migrations
    add column if not exists oldest_release text collate "C", add column if not exists is_complete boolean not null default true`
const createTable = `
  create table migrations (
    name           text collate "C" primary key,
    checksum       text not null,
    applied_at     timestamptz(3) not null default now(),
    oldest_release text collate "C",
    is_complete    boolean not null default true
  )`

async function findMissing(client: pg.ClientBase, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations where is_complete')
  const applied = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ name }) => !applied.has(name))
}
