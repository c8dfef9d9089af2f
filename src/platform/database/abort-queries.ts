import type { Queryable } from './database.ts'
import type { Statement } from './sql.ts'

/** The same database for a caller that may disconnect. After an abort, no statement starts or waits for a connection. */
export function abortQueries(database: Queryable, signal: AbortSignal): Queryable {
  return {
    async query<Row>(statement: Statement<Row>) {
      signal.throwIfAborted()
      // Copied, because a statement may be a shared constant.
      const own: Statement<Row> = Object.create(statement)
      return database.query(Object.assign(own, { signal }))
    },
  }
}
