import type pg from 'pg'
import { DatabaseFailure, failureOf, sqlState } from './failures.ts'
import { sqlStates } from './sql-states.ts'

/** Named by its place in PostgreSQL's source, because the text of a warning is in the language of the server. */
const cancelledWait = 'SyncRepWaitForLSN'
/** The driver refused to send anything, because the connection was gone before. */
const neverSent = /is not queryable/

/**
 * Tells a commit that nobody can be sure of from one that failed. PostgreSQL acknowledges a commit whose wait for the synchronous
 * standby was cancelled, and warns: the write is on this server, and a failover may lose it. A connection that breaks after the commit
 * was sent leaves it open whether the server has done it.
 */
export function watchCommits() {
  const unconfirmed = new WeakSet<pg.ClientBase>()
  return {
    watch(client: pg.ClientBase): void {
      client.on('notice', ({ routine }) => {
        if (routine === cancelledWait) unconfirmed.add(client)
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
            'the wait for the synchronous standby was cancelled, so a failover may lose this write; look before you repeat it',
          ),
        )
      return result
    },
  }
}

/** The server has not answered yet: the commit still waits there, for its standby as a rule, and for as long as that takes. */
export function isCommitUnderWay(error: unknown): boolean {
  if (failureOf(error) !== 'outcome_unknown') return false
  return ((error as Error).cause as Error).message === 'Query read timeout'
}

/** An error that the server itself reports has rolled the statement back; where it ends the connection, it says FATAL or PANIC. */
function isUncertain(error: unknown): boolean {
  if (failureOf(error) !== 'database_unavailable' || error instanceof DatabaseFailure) return false
  const { message, severity } = error as Error & { severity?: string }
  return severity !== 'ERROR' && sqlState(error) !== sqlStates.readOnlyTransaction && !neverSent.test(message)
}
