import type { Pooling } from '../../platform/database/connections/pooler.ts'
import { findReadOnlyReason, writableAdvice } from '../../platform/database/read-only.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Check, type Finding, ok, onDatabase, warning } from './check.ts'

/** The server's defaults for all clients, not the values that our own sessions set. */
type Settings = Record<string, string>

/** Checks for unusual server settings. */
export const serverChecks: Check[] = [
  onDatabase('writes', async (database) => {
    const reason = await findReadOnlyReason(database)
    if (reason === undefined) return ok('the database accepts writes')
    return warning(reason, `${writableAdvice}; until then, writes and /readyz return 503`)
  }),

  onDatabase('durability', async (database) => {
    const rows = await database.query(sql<{ name: string; value: string }>`
      select name, reset_val as value from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names')`)
    return judgeDurability(Object.fromEntries(rows.map(({ name, value }) => [name, value])))
  }),

  onDatabase('isolation', async (database) => {
    const [row] = await database.query(sql<{ level: string }>`
      select reset_val as level from pg_settings where name = 'default_transaction_isolation'`)
    return judgeIsolation(row?.level ?? 'unknown')
  }),

  onDatabase('pooler', async (_database, { pooling }) => judgePooler(pooling)),
]

export function judgeDurability(settings: Settings): Finding {
  const off = ['fsync', 'full_page_writes'].filter((name) => settings[name] === 'off')
  if (off.length > 0)
    return warning(
      `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: a machine crash can lose or damage the whole database`,
      `set ${off.join(' = on, ')} = on in postgresql.conf and reload the server`,
    )
  const commit = settings['synchronous_commit']
  if (commit === 'off')
    return warning(
      'synchronous_commit is off: a server crash loses the most recent acknowledged writes of other programs; the service enables it for its own writes',
      'set synchronous_commit = on for the server, the database and the role',
    )
  const standbys = settings['synchronous_standby_names'] ?? ''
  if (standbys !== '' && (commit === 'local' || commit === 'remote_write'))
    return warning(
      `synchronous_commit is ${commit}, so a commit does not wait until the standbys (${standbys}) have it on disk`,
      'set synchronous_commit = on if a failover must not lose acknowledged writes',
    )
  return ok('acknowledged writes are on disk')
}

function judgeIsolation(level: string): Finding {
  if (level === 'read committed') return ok(level)
  return warning(
    `the database default is ${level}, which makes the service retry transactions that would otherwise wait`,
    "run ALTER DATABASE … SET default_transaction_isolation = 'read committed'",
  )
}

function judgePooler(pooling: Pooling): Finding {
  if (pooling === 'none') return ok('none; the service connects to the server directly')
  return warning(
    'the service connects through a pooler in session mode',
    'make sure that its pool is large enough for all connections of the service',
  )
}
