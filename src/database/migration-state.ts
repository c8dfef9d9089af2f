import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

export type Migration = { name: string; text: string; checksum: string }

export function readMigrations(): Migration[] {
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

export function refuseForeignSchema({ changed, unknown }: MigrationState): void {
  if (changed.length > 0)
    throw new Error(
      `migration ${changed[0]} was applied with another text; migrations never change, add a new one`,
    )
  if (unknown.length > 0)
    throw new Error(
      `the database has migration ${unknown[0]}, which this version does not know; run the newer version`,
    )
}
