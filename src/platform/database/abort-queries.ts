import type { Queryable } from './database.ts'
import type { Statement } from './sql.ts'

/** The same database for a caller that may leave: from then on no statement begins, and none waits for a connection. */
export function abortQueries(database: Queryable, signal: AbortSignal): Queryable {
  return {
    async query<Row>(statement: Statement<Row>) {
      signal.throwIfAborted()
      // A statement may be a constant that others use, too.
      const own: Statement<Row> = Object.create(statement)
      return database.query(Object.assign(own, { signal }))
    },
  }
}
