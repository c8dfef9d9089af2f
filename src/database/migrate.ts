import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database, Queryable, Transaction } from './database.ts'
import { sql } from './sql.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))
const lockKey = 4_270_011
export const oldestServer = 15

type Migration = { name: string; text: string; checksum: string }

function readMigrations(): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name) => {
    const text = readFileSync(folder + name, 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

export type MigrationState = Record<'applied' | 'pending' | 'changed' | 'unknown', string[]>

/** How the database stands to this version's migrations; nothing is applied. */
export async function readMigrationState(database: Queryable): Promise<MigrationState> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('migrations') is not null as found`,
  )
  const rows = table?.found
    ? await database.query(
        sql<{ name: string; checksum: string }>`select name, checksum from migrations order by name`,
      )
    : []
  const migrations = readMigrations()
  const kept = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const names = (wanted: (migration: Migration) => boolean) =>
    migrations.filter(wanted).map(({ name }) => name)
  return {
    applied: names(({ name, checksum }) => kept.get(name) === checksum),
    pending: names(({ name }) => !kept.has(name)),
    changed: names(({ name, checksum }) => kept.has(name) && kept.get(name) !== checksum),
    unknown: [...kept.keys()].filter((name) => migrations.every((migration) => migration.name !== name)),
  }
}

/** Applies what is missing, one transaction each, one process at a time. Returns the names it applied. */
export async function migrate(database: Database): Promise<string[]> {
  const applied: string[] = []
  const migrations = readMigrations()
  await database.transaction(prepare)
  for (const migration of migrations) {
    const done = await database.transaction((tx) => apply(tx, migration))
    if (done) applied.push(migration.name)
  }
  await refuseNewerSchema(database, migrations)
  return applied
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

async function refuseNewerSchema(database: Database, migrations: Migration[]): Promise<void> {
  const names = migrations.map(({ name }) => name)
  const [newer] = await database.query(
    sql<{ name: string }>`select name from migrations where name <> all(${names}) order by name limit 1`,
  )
  if (newer !== undefined) {
    throw new Error(
      `the database has migration ${newer.name}, which this version does not know; run the newer version`,
    )
  }
}
