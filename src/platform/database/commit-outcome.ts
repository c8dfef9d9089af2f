import type pg from 'pg'
import { DatabaseFailure, failureOf, sqlState } from './failures.ts'
import { sqlStates } from './sql-states.ts'

/** The routine in PostgreSQL's source code, because the message of a warning depends on the server's language. */
const canceledWait = 'SyncRepWaitForLSN'
/** The driver sent nothing, because the connection had already broken. */
const neverSent = /is not queryable/

/**
 * Distinguishes a commit whose outcome is unknown from a failed one. If the wait for the synchronous standby is canceled,
 * PostgreSQL acknowledges the commit with a warning: the write is on this server, but a failover can lose it. If the
 * connection breaks after the commit was sent, the server may or may not have executed it.
 */
export function watchCommits() {
  const unconfirmed = new WeakSet<pg.ClientBase>()
  return {
    watch(client: pg.ClientBase): void {
      client.on('notice', ({ routine }) => {
        if (routine === canceledWait) unconfirmed.add(client)
      })
    },

    /** The result of a statement that commits, once the commit is certain. */
    async confirmed<Result>(client: pg.ClientBase, statement: Promise<Result>): Promise<Result> {
      const result = await statement.catch((error: unknown) => {
        throw isUncertain(error) ? new DatabaseFailure('outcome_unknown', error) : error
      })
      if (unconfirmed.has(client))
        throw new DatabaseFailure(
          'outcome_unknown',
          new Error(
            'the wait for the synchronous standby was canceled, so a failover can lose this write; check before you repeat it',
          ),
        )
      return result
    },
  }
}

/** The server has not responded yet: the commit is still waiting, usually for the standby. */
export function isCommitUnderWay(error: unknown): boolean {
  if (failureOf(error) !== 'outcome_unknown') return false
  return ((error as Error).cause as Error).message === 'Query read timeout'
}

/** If the server reports an ERROR, the statement is rolled back. FATAL and PANIC end the connection. */
function isUncertain(error: unknown): boolean {
  if (failureOf(error) !== 'database_unavailable' || error instanceof DatabaseFailure) return false
  const { message, severity } = error as Error & { severity?: string }
  return severity !== 'ERROR' && sqlState(error) !== sqlStates.readOnlyTransaction && !neverSent.test(message)
}
