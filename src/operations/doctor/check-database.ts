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
    const detail = `connected to PostgreSQL ${row?.version}`
    if (Math.floor((row?.number ?? 0) / 10_000) >= oldestServer) return ok(detail)
    return failure(detail, `use PostgreSQL ${oldestServer} or newer`)
  }),

  onDatabase('migrations', async (database) =>
    judgeMigrations(await readMigrationState(database, thisRelease())),
  ),

  onDatabase('connections', async (database, { config: { poolSize } }) => {
    const most = await readConnectionCapacity(database)
    const detail = `the service can open ${poolSize}; the server allows ${most}`
    if (most >= poolSize + doctorLimits.spareConnections) return ok(detail)
    const advice = 'reduce CATALOG_POOL_SIZE or --workers, or increase max_connections on the server'
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
      `the database has migrations that this version does not include: ${unknown.join(', ')}`,
      `run ${requiredRelease(state)}`,
    )
  if (changed.length > 0)
    return failure(
      `these migration files have changed since they were applied: ${changed.join(', ')}`,
      'restore the released files; do not edit migrations',
    )
  if (pending.length > 0)
    return warning(
      `${applied.length} applied; pending: ${pending.join(', ')}`,
      'run "catalog migrate" or start the service',
    )
  if (newer.length > 0)
    return warning(
      `all ${applied.length} applied, and compatible migrations of a newer version: ${newer.join(', ')}`,
      'update all machines to the newer version',
    )
  return ok(`all ${applied.length} applied`)
}

/** Tokens and history use the database clock, the log uses the service's. A difference makes them hard to compare. */
export function judgeClock(aheadSeconds: number): Finding {
  const off = Math.abs(aheadSeconds)
  const detail = `the database clock is ${off.toFixed(1)} s ${aheadSeconds < 0 ? 'behind' : 'ahead of'} the clock of this machine`
  const advice = 'synchronize both clocks with NTP'
  if (off > doctorLimits.clockFailureSeconds) return failure(detail, advice)
  return off > doctorLimits.clockWarningSeconds ? warning(detail, advice) : ok('in sync with the database')
}
