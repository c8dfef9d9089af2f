import { TooBusy } from '../scheduling/concurrency-limit.ts'
import { sqlStateClasses, sqlStates } from './sql-states.ts'

/** What a failed statement means for the caller: wait for the server, look what became of it, ask for less, or come again when others are done. */
type Failure = 'database_unavailable' | 'outcome_unknown' | 'query_timeout' | 'too_busy'

/** Thrown instead of the driver's error where the fault is the server's, not the statement's. */
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
  // A host that is gone, or the way to it: its neighbours say so, or nobody answers for its address.
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
      // A server bug or damaged data affects only the statement that hit it, unless it ended the connection.
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
 * What those that wait behind a failed statement get at once, because the server is away or hangs: their own would only wait for a
 * second time limit. Undefined if their statement may succeed.
 */
export function failureForWaiting(error: unknown): unknown {
  const reason = failureOf(error) === 'outcome_unknown' ? asFailure((error as Error).cause) : error
  return failureOf(reason) === 'database_unavailable' ? reason : undefined
}

/** The connection cannot be trusted after these: it is gone, or still busy with the statement we gave up on. */
export function breaksConnection(error: unknown): boolean {
  const failure = failureOf(error)
  return failure === 'database_unavailable' || failure === 'outcome_unknown'
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(sqlState(error) ?? '')
}

/** The statement wrote something that refers to what another writer has deleted. */
export function isReferenceGone(error: unknown): boolean {
  return sqlState(error) === sqlStates.foreignKeyViolation
}

/** The statement would have had to wait for another writer longer than it was told to. */
export function isLockedOut(error: unknown): boolean {
  return sqlState(error) === sqlStates.lockNotAvailable
}

/** The constraint that the statement would have broken. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}
