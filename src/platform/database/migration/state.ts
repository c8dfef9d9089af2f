import type { Queryable } from '../database.ts'
import { sql } from '../sql.ts'
import { compareReleases, type Migration, newestRelease, type Release } from './migration-file.ts'

/** The migrations of a database compared with those of a release. */
export type MigrationState = Record<'applied' | 'pending' | 'changed', string[]> & {
  /** From a newer release on whose schema this one can run. */
  newer: string[]
  /** From a newer release on whose schema this one cannot run. */
  unknown: string[]
  /** The oldest release that can run on the schema, if the unknown migrations state it. */
  oldestRelease: string | undefined
}

type AppliedMigration = {
  name: string
  checksum: string
  oldest_release: string | null
  /** False while its statements run outside a transaction, and after an interruption. */
  is_complete: boolean
}

/** Reads the state without applying anything. */
export async function readMigrationState(
  database: Queryable,
  { version, migrations }: Release,
): Promise<MigrationState> {
  const rows = await readApplied(database)
  const complete = rows.filter((row) => row.is_complete)
  const checksums = new Map(complete.map(({ name, checksum }) => [name, checksum]))
  const names = (wanted: (migration: Migration) => boolean) =>
    migrations.filter(wanted).map(({ name }) => name)
  const foreign = rows.filter(({ name }) => migrations.every((migration) => migration.name !== name))
  const runs = ({ oldest_release: oldest }: AppliedMigration) =>
    oldest !== null && compareReleases(version, oldest) >= 0
  const incompatible = foreign.filter((row) => !runs(row))
  return {
    applied: names(({ name, checksum }) => checksums.get(name) === checksum),
    pending: names(({ name }) => !checksums.has(name)),
    changed: names(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum),
    newer: foreign.filter(runs).map(({ name }) => name),
    unknown: incompatible.map(({ name }) => name),
    oldestRelease: newestRelease(incompatible.map((row) => row.oldest_release)),
  }
}

export async function readApplied(database: Queryable): Promise<AppliedMigration[]> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('migrations') is not null as found`,
  )
  if (table?.found !== true) return []
  // Through JSON, because the first releases created the table without the last columns.
  return database.query(sql<AppliedMigration>`
    select name, checksum, to_jsonb(migrations) ->> 'oldest_release' as oldest_release,
           coalesce((to_jsonb(migrations) ->> 'is_complete')::boolean, true) as is_complete
    from migrations order by name`)
}

export function refuseForeignSchema(state: MigrationState): void {
  const { changed, unknown, newer, pending } = state
  if (changed.length > 0)
    throw new Error(
      `migration ${changed[0]} was applied with different content; migrations must not change, so add a new one`,
    )
  if (unknown.length > 0)
    throw new Error(
      `the database has migration ${unknown[0]}, which this version does not know; run ${requiredRelease(state)}`,
    )
  if (newer.length > 0 && pending.length > 0)
    throw new Error(
      `the database has migration ${newer[0]}, which this version does not know, and lacks ${pending[0]}; run the newer version`,
    )
}

/** The version to run instead of this one. */
export function requiredRelease({ oldestRelease }: MigrationState): string {
  return oldestRelease === undefined ? 'the newer version' : `version ${oldestRelease} or newer`
}
