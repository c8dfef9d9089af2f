import type { Queryable } from './database.ts'
import { DatabaseFailure, sqlState } from './failures.ts'
import { sql } from './sql.ts'
import { sqlStates } from './sql-states.ts'

/** Why the database takes no writes; undefined where it does. */
export async function findReadOnlyReason(database: Queryable): Promise<string | undefined> {
  // We ask for the server's own setting: our connections for reads are read-only whatever it says.
  const [row] = await database.query(sql<{ standby: boolean; readOnly: boolean }>`
    select pg_is_in_recovery() as standby, reset_val::boolean as "readOnly"
    from pg_settings where name = 'default_transaction_read_only'`)
  if (row?.standby === true)
    return 'the database is a standby, which takes no writes before it is promoted to primary'
  if (row?.readOnly === true)
    return 'the database takes no writes, because its setting default_transaction_read_only is on'
  return undefined
}

/** Instead of PostgreSQL's words, which name a statement and not the reason. */
export async function explainReadOnly(database: Queryable, error: unknown): Promise<unknown> {
  const cause = error instanceof DatabaseFailure ? error.cause : error
  if (sqlState(cause) !== sqlStates.readOnlyTransaction) return error
  const reason = await findReadOnlyReason(database).catch(() => undefined)
  return reason === undefined ? error : new Error(`${reason}; ${writableAdvice}`, { cause: error })
}

export const writableAdvice = 'name a server in DATABASE_URL that takes writes'
