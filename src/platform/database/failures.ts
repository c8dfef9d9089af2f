import { TooBusy } from '../scheduling/concurrency-limit.ts'
import { sqlStateClasses, sqlStates } from './sql-states.ts'

/** What a failed statement means for the caller: wait for the server, check the outcome, request less, or retry later. */
type Failure = 'database_unavailable' | 'outcome_unknown' | 'query_timeout' | 'too_busy'

/** Thrown instead of the driver's error if the server failed, not the statement. */
export class DatabaseFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super((cause as Error).message, { cause })
    this.failure = failure
  }
}

const unavailableClasses = [
  sqlStateClasses.connectionException,
  sqlStateClasses.insufficientResources,
  sqlStateClasses.operatorIntervention,
  sqlStateClasses.systemError,
]
const endsConnection = new Set(['FATAL', 'PANIC'])
const networkCodes = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  // The host or the network path to it is gone.
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EACCES',
])
const driverMessages = [
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
]

const retryable = new Set<string>([sqlStates.serializationFailure, sqlStates.deadlockDetected])

export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DatabaseFailure || error instanceof TooBusy) return error.failure
  const code = sqlState(error)
  if (code === sqlStates.queryCanceled) return 'query_timeout'
  if (code !== undefined) {
    const away =
      networkCodes.has(code) ||
      code === sqlStates.readOnlyTransaction ||
      // A server bug or damaged data affects only its statement, unless it ended the connection.
      (code.startsWith(sqlStateClasses.internalError) &&
        endsConnection.has((error as { severity?: string }).severity ?? '')) ||
      unavailableClasses.some((prefix) => code.startsWith(prefix))
    return away ? 'database_unavailable' : undefined
  }
  const message = error instanceof Error ? error.message : ''
  return driverMessages.some((text) => message.includes(text)) ? 'database_unavailable' : undefined
}

export function asFailure(error: unknown): unknown {
  const failure = failureOf(error)
  return failure === undefined || error instanceof DatabaseFailure
    ? error
    : new DatabaseFailure(failure, error)
}

/**
 * The error for callers that wait behind a failed statement if the server is unavailable or hangs: their own statements would
 * only time out too. Undefined if their statements can succeed.
 */
export function failureForWaiting(error: unknown): unknown {
  const reason = failureOf(error) === 'outcome_unknown' ? asFailure((error as Error).cause) : error
  return failureOf(reason) === 'database_unavailable' ? reason : undefined
}

/** After these errors the connection cannot be used: it is closed, or still runs the abandoned statement. */
export function breaksConnection(error: unknown): boolean {
  const failure = failureOf(error)
  return failure === 'database_unavailable' || failure === 'outcome_unknown'
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(sqlState(error) ?? '')
}

/** The statement wrote a reference to a row that another writer has deleted. */
export function isReferenceGone(error: unknown): boolean {
  return sqlState(error) === sqlStates.foreignKeyViolation
}

/** The statement waited for another writer longer than its limit. */
export function isLockedOut(error: unknown): boolean {
  return sqlState(error) === sqlStates.lockNotAvailable
}

/** The constraint that the statement violated. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}
