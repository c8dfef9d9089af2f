import pg from 'pg'
import { databaseLimits } from '../../limits/database.ts'
import { version } from '../../version.ts'
import { columnTypes } from '../statements/column-types.ts'
import type { PoolName } from './connection-classes.ts'

export type PoolOptions = {
  connection: pg.ClientConfig
  size: number
  /** 0 lets a statement take as long as it needs. */
  statementTimeoutSeconds: number
  onConnect: (client: pg.PoolClient) => void
  onBrokenConnection: (error: Error) => void
}

// A planner that knows the values finds better plans for filters. Everything else costs more to plan than to run, or is written so
// that one plan is right whatever the statistics say, also within triggers.
const planOnce = 'set plan_cache_mode = force_generic_plan'
const readOnly = 'set default_transaction_read_only = on'

function settingsOf(kind: PoolName | 'any', statementTimeoutSeconds: number): string[] {
  if (kind === 'lists') return [readOnly]
  if (kind === 'reads') return [planOnce, readOnly]
  if (kind === 'writes') return [planOnce, `set lock_timeout = ${databaseLimits.lockMilliseconds}`]
  // A little less than the statement's own limit, so that it is told what it waited for.
  if (kind === 'waiting') return [planOnce, `set lock_timeout = ${statementTimeoutSeconds * 900}`]
  return [planOnce]
}

function sessionSettings(kind: PoolName | 'any', statementTimeoutSeconds: number): string {
  return [
    // Times are read as text.
    "set timezone = 'UTC'",
    "set datestyle = 'ISO'",
    // An index is worth a look even for a good part of a project: disks no longer seek.
    'set random_page_cost = 1.1',
    'set jit = off',
    `set statement_timeout = ${statementTimeoutSeconds * 1000}`,
    `set idle_in_transaction_session_timeout = ${databaseLimits.idleTransactionSeconds * 1000}`,
    // A server may have other defaults: what is acknowledged must be on disk, and writers must not fail each other.
    "set default_transaction_isolation = 'read committed'",
    // One warning tells that a commit was not confirmed (commit-outcome.ts); a role or an address may have silenced all of them.
    'set client_min_messages = warning',
    // Triggers record the events of releases that do not record them yet (migrations/0060_events_of_older_releases.sql).
    `set catalog.release = '${version}'`,
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
    ...settingsOf(kind, statementTimeoutSeconds),
  ].join('; ')
}

/** Prefixes of the names that identify connections of a service or a command. In a service, the pool name follows. */
export const applicationName = 'catalog-service'

/** Hands out only connections that have the settings of their pool. */
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
    // A hung server never answers: give up a little after it should have canceled the statement itself.
    query_timeout: statementTimeoutSeconds && statementTimeoutSeconds * 1000 + 1000,
    application_name: kind === 'any' ? applicationName : `${applicationName} ${kind}`,
    // A host that vanished without a word is noticed on connections that nobody uses, too.
    keepAlive: true,
    keepAliveInitialDelayMillis: databaseLimits.keepAliveMilliseconds,
    // Said on the connection and not in its options, which an address may have set for itself and a pooler would refuse.
    onConnect: async (client) => void (await client.query(settings)),
  })
  pool.on('error', () => {})
  // Through its whole life: a connection that breaks while nobody listens would end the process.
  pool.on('connect', (client) => {
    client.on('error', onBrokenConnection)
    onConnect(client)
  })
  return pool
}
