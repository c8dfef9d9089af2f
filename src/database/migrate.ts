import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Transaction } from './database.ts'
import {
  type Migration,
  type MigrationState,
  readMigrationState,
  readMigrations,
  refuseForeignSchema,
} from './migration-state.ts'
import { findReadOnlyReason, writableAdvice } from './read-only.ts'
import { sql } from './sql.ts'

const lockKey = 4_270_011
const settleMilliseconds = 100
export const oldestServer = 15

/** Applies what is missing, one transaction each, one process at a time. Returns the names it applied. */
export async function migrate(database: Database): Promise<string[]> {
  const state = await readMigrationState(database)
  refuseForeignSchema(state)
  if (state.pending.length === 0) return []
  const readOnly = await findReadOnlyReason(database)
  if (readOnly !== undefined)
    throw new Error(
      `${readOnly}, and migrations are to be applied first: ${state.pending.join(', ')}; ${writableAdvice}`,
    )
  const applied: string[] = []
  await database.transaction(prepare)
  for (const migration of readMigrations()) {
    const done = await database.transaction((tx) => apply(tx, migration))
    if (done) applied.push(migration.name)
  }
  refuseForeignSchema(await readMigrationState(database))
  return applied
}

/**
 * For those who do not migrate: a service of an older version may run on this schema, and could not start again on a newer one. Where
 * there is no schema at all, nobody does.
 */
export async function requireSchema(database: Database): Promise<void> {
  const state = await settledState(database)
  if (Object.values(state).every((names) => names === state.pending || names.length === 0)) {
    await migrate(database)
    return
  }
  refuseForeignSchema(state)
  if (state.pending.length > 0)
    throw new Error(
      `the database lacks ${state.pending.join(', ')}, which this version needs; stop the services of older versions, then run "catalog migrate" or start the service`,
    )
}

/** Another process may be about to migrate: that is waited for. */
async function settledState(database: Database): Promise<MigrationState> {
  let state = await readMigrationState(database)
  for (let unchanged = 0; unchanged < 2 && state.pending.length > 0 && state.applied.length > 0; ) {
    await database.query(sql`select pg_advisory_xact_lock_shared(${lockKey})`)
    await sleep(settleMilliseconds)
    const next = await readMigrationState(database)
    unchanged = next.pending.length === state.pending.length ? unchanged + 1 : 0
    state = next
  }
  return state
}

async function prepare(tx: Transaction): Promise<void> {
  const [server] = await tx.query(
    sql<{ number: string }>`select current_setting('server_version_num') as number`,
  )
  const major = Math.floor(Number(server?.number) / 10_000)
  if (major < oldestServer)
    throw new Error(`PostgreSQL ${oldestServer} or newer is needed, and this server is version ${major}`)
  await tx.query(sql`select pg_advisory_xact_lock(${lockKey})`)
  const [known] = await tx.query(
    sql<{ exists: boolean }>`select to_regclass('migrations') is not null as exists`,
  )
  // Asked first: a user who may not create tables can still run a service on a schema that is up to date.
  if (known?.exists === true) return
  await tx.query(sql`
    create table migrations (
      name       text collate "C" primary key,
      checksum   text not null,
      applied_at timestamptz(3) not null default now()
    )`)
}

async function apply(tx: Transaction, { name, text, checksum }: Migration): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(${lockKey})`)
  const [known] = await tx.query(
    sql<{ checksum: string }>`select checksum from migrations where name = ${name}`,
  )
  if (known !== undefined) {
    if (known.checksum === checksum) return false
    throw new Error(`migration ${name} was applied with another text; migrations never change, add a new one`)
  }
  await tx.script(text)
  await tx.query(sql`insert into migrations (name, checksum) values (${name}, ${checksum})`)
  return true
}
