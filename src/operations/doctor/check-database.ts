import { readConnectionCapacity } from '../../platform/database/connections/connection-capacity.ts'
import { oldestServer } from '../../platform/database/migrate.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import {
  type MigrationState,
  readMigrationState,
  requiredRelease,
} from '../../platform/database/migration/state.ts'
import { sql } from '../../platform/database/sql.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, type Finding, failure, ok, onDatabase, warning } from './check.ts'

export const databaseChecks: Check[] = [
  onDatabase('database', async (database) => {
    const [row] = await database.query(
      sql<{ version: string; number: number }>`
        select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
    )
    const detail = `PostgreSQL ${row?.version} answers`
    if (Math.floor((row?.number ?? 0) / 10_000) >= oldestServer) return ok(detail)
    return failure(detail, `use PostgreSQL ${oldestServer} or newer`)
  }),

  onDatabase('migrations', async (database) =>
    judgeMigrations(await readMigrationState(database, thisRelease())),
  ),

  onDatabase('connections', async (database, { config: { poolSize } }) => {
    const most = await readConnectionCapacity(database)
    const detail = `the service may open ${poolSize}, the server allows ${most}`
    if (most >= poolSize + doctorLimits.spareConnections) return ok(detail)
    const advice = 'lower CATALOG_POOL_SIZE or --workers, or raise max_connections of the server'
    return most >= poolSize ? warning(detail, advice) : failure(detail, advice)
  }),

  onDatabase('clock', async (database) => {
    const before = Date.now()
    const [row] = await database.query(
      sql<{
        milliseconds: number
      }>`select extract(epoch from clock_timestamp())::float8 * 1000 as milliseconds`,
    )
    return judgeClock(((row?.milliseconds ?? 0) - (before + Date.now()) / 2) / 1000)
  }),
]

export function judgeMigrations(state: MigrationState): Finding {
  const { applied, pending, changed, newer, unknown } = state
  if (unknown.length > 0)
    return failure(
      `the database has ${unknown.join(', ')}, which this version does not know`,
      `run ${requiredRelease(state)}`,
    )
  if (changed.length > 0)
    return failure(
      `${changed.join(', ')} was applied with another text`,
      'restore the file as it was released; a migration never changes',
    )
  if (pending.length > 0)
    return warning(
      `${applied.length} applied, still to come: ${pending.join(', ')}`,
      'run "catalog migrate", or start the service, which does the same',
    )
  if (newer.length > 0)
    return warning(
      `all ${applied.length} applied, and of a newer version, which lets this one run on: ${newer.join(', ')}`,
      'run the newer version on every machine',
    )
  return ok(`all ${applied.length} applied`)
}

/** Tokens and history have the database's time; another time in the service's log confuses people who compare them. */
export function judgeClock(aheadSeconds: number): Finding {
  const off = Math.abs(aheadSeconds)
  const detail = `the database's clock is ${off.toFixed(1)} s ${aheadSeconds < 0 ? 'behind' : 'ahead of'} this machine's`
  const advice = 'set both clocks by NTP'
  if (off > doctorLimits.clockFailureSeconds) return failure(detail, advice)
  return off > doctorLimits.clockWarningSeconds
    ? warning(detail, advice)
    : ok('the same as that of the database')
}
