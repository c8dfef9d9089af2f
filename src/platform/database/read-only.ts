import type { Queryable } from './database.ts'
import { DatabaseFailure, sqlState } from './failures.ts'
import { sql } from './sql.ts'
import { sqlStates } from './sql-states.ts'

/** Why the database accepts no writes; undefined if it does. */
export async function findReadOnlyReason(database: Queryable): Promise<string | undefined> {
  // The server's own setting, because the service's connections for reads are always read-only.
  const [row] = await database.query(sql<{ standby: boolean; readOnly: boolean }>`
    select pg_is_in_recovery() as standby, reset_val::boolean as "readOnly"
    from pg_settings where name = 'default_transaction_read_only'`)
  if (row?.standby === true)
    return 'the database is a standby, which accepts no writes until it is promoted to primary'
  if (row?.readOnly === true)
    return 'the database accepts no writes, because its setting default_transaction_read_only is on'
  return undefined
}

/** Replaces PostgreSQL's message, which names a statement instead of the reason. */
export async function explainReadOnly(database: Queryable, error: unknown): Promise<unknown> {
  const cause = error instanceof DatabaseFailure ? error.cause : error
  if (sqlState(cause) !== sqlStates.readOnlyTransaction) return error
  const reason = await findReadOnlyReason(database).catch(() => undefined)
  return reason === undefined ? error : new Error(`${reason}; ${writableAdvice}`, { cause: error })
}

export const writableAdvice = 'set DATABASE_URL to a server that accepts writes'
