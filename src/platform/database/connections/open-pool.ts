import pg from 'pg'
import { databaseLimits } from '../../limits/database.ts'
import { version } from '../../version.ts'
import { columnTypes } from '../statements/column-types.ts'
import type { PoolName } from './connection-classes.ts'

export type PoolOptions = {
  connection: pg.ClientConfig
  size: number
  /** 0 disables the timeout. */
  statementTimeoutSeconds: number
  onConnect: (client: pg.PoolClient) => void
  onBrokenConnection: (error: Error) => void
}

// Filters get better plans if the planner knows their values. Other statements cost more to plan than to run, or are written so
// that one plan fits all statistics, also within triggers.
const planOnce = 'set plan_cache_mode = force_generic_plan'
const readOnly = 'set default_transaction_read_only = on'

function settingsOf(kind: PoolName | 'any', statementTimeoutSeconds: number): string[] {
  if (kind === 'lists') return [readOnly]
  if (kind === 'reads') return [planOnce, readOnly]
  if (kind === 'writes') return [planOnce, `set lock_timeout = ${databaseLimits.lockMilliseconds}`]
  // Slightly shorter than the statement timeout, so that the error names the lock.
  if (kind === 'waiting') return [planOnce, `set lock_timeout = ${statementTimeoutSeconds * 900}`]
  return [planOnce]
}

function sessionSettings(kind: PoolName | 'any', statementTimeoutSeconds: number): string {
  return [
    // Times are read as text.
    "set timezone = 'UTC'",
    "set datestyle = 'ISO'",
    // An index pays off even for a large part of a project, because SSDs do not seek.
    'set random_page_cost = 1.1',
    'set jit = off',
    `set statement_timeout = ${statementTimeoutSeconds * 1000}`,
    `set idle_in_transaction_session_timeout = ${databaseLimits.idleTransactionSeconds * 1000}`,
    // The server's defaults may differ: acknowledged writes must be on disk, and concurrent writers must not fail.
    "set default_transaction_isolation = 'read committed'",
    // A warning reports an unconfirmed commit (commit-outcome.ts), and a role or an address may have disabled warnings.
    'set client_min_messages = warning',
    // Triggers record the events of releases that do not record them yet (migrations/0060_events_of_older_releases.sql).
    `set catalog.release = '${version}'`,
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
    ...settingsOf(kind, statementTimeoutSeconds),
  ].join('; ')
}

/** The first word of the names that identify connections of a service or a command. */
export const applicationName = 'catalog-service'

/** In a service, the pool name follows. The release is last, so that a newer release can find an older one. */
export function connectionName(kind: PoolName | 'any'): string {
  return [applicationName, ...(kind === 'any' ? [] : [kind]), version].join(' ')
}

/** Returns only connections that have the settings of their pool. */
export function openPool(
  kind: PoolName | 'any',
  { connection, size, statementTimeoutSeconds, onConnect, onBrokenConnection }: PoolOptions,
): pg.Pool {
  const settings = sessionSettings(kind, statementTimeoutSeconds)
  const pool = new pg.Pool({
    ...connection,
    types: columnTypes,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: databaseLimits.connectMilliseconds,
    // A server that hangs never responds, so give up shortly after it should have canceled the statement.
    query_timeout: statementTimeoutSeconds && statementTimeoutSeconds * 1000 + 1000,
    application_name: connectionName(kind),
    // Detects on idle connections, too, that a host has disappeared.
    keepAlive: true,
    keepAliveInitialDelayMillis: databaseLimits.keepAliveMilliseconds,
    // Set on the connection, not in its options: the address may set these itself, and a pooler would refuse them.
    onConnect: async (client) => void (await client.query(settings)),
  })
  pool.on('error', () => {})
  // For the whole lifetime, because an error without a listener would end the process.
  pool.on('connect', (client) => {
    client.on('error', onBrokenConnection)
    onConnect(client)
  })
  return pool
}
