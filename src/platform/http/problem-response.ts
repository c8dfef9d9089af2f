import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseFailure, isReferenceGone } from '../database/failures.ts'
import { FileStoreFailure } from '../file-store/file-store.ts'
import { responseLimits } from '../limits/responses.ts'
import { TooBusy } from '../scheduling/concurrency-limit.ts'
import { type ProblemCode, problems } from './problem-catalog.ts'
import { type InputError, Problem } from './problems.ts'
import { redactTokens } from './redact-tokens.ts'

const goneMeanwhile =
  'The project, or another object that this request writes to, was deleted in the meantime.'

const fastifyCodes: Record<string, ProblemCode> = {
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  // The client disconnected while it sent its body, so no one reads this.
  ECONNRESET: 'malformed_request',
}

/** The only place where an error becomes a response. */
export function sendProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error, request)
  const { status } = problems[problem.problemCode]
  if (status === 500) request.log.error({ err: error }, 'unexpected error')
  else if (status === 503) request.log.warn({ reason: error.message }, problem.problemCode)
  if (status === 503) reply.header('retry-after', String(responseLimits.retryAfterSeconds))
  reply
    .code(status)
    // If the route set a file name before it failed, a browser would save the error under that name.
    .removeHeader('content-disposition')
    .headers(problem.extras.headers ?? {})
    .header('content-type', 'application/problem+json')
    // Sent as bytes, because the response must not depend on the serializer of the failed route.
    .send(Buffer.from(JSON.stringify(problemBody(problem, request.id))))
}

export function problemBody(problem: Problem, requestId: string): object {
  const { status, title } = problems[problem.problemCode]
  const { errors, existing_id, marked } = problem.extras
  return {
    type: `/errors/${problem.problemCode}`,
    title,
    status,
    detail:
      quotable(problem.message, responseLimits.detailCharacters) +
      (errors !== undefined && errors.length > responseLimits.errors
        ? ` The first ${responseLimits.errors} of ${errors.length} errors are listed.`
        : ''),
    code: problem.problemCode,
    request_id: requestId,
    ...(errors && { errors: errors.slice(0, responseLimits.errors).map(quotableError) }),
    ...(existing_id !== undefined && { existing_id }),
    ...(marked && { marked }),
  }
}

/** Redacts tokens in the text, and truncates long text. */
export function quotableError<Any extends InputError>(error: Any): Any {
  const entries = Object.entries(error).map(([name, text]) => [
    name,
    quotable(text, responseLimits.errorCharacters),
  ])
  return Object.fromEntries(entries) as Any
}

/** Removes what PostgreSQL cannot store, because the errors of proposal lines are stored. */
function quotable(text: string, longest: number): string {
  return redactTokens(text).slice(0, longest).toWellFormed().replaceAll('\0', '\ufffd')
}

/** The problem that the client gets for an error. */
export function asProblem(error: FastifyError | Error, { routeOptions }: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseFailure || error instanceof TooBusy || error instanceof FileStoreFailure)
    return new Problem(error.failure)
  if (isReferenceGone(error)) return new Problem('not_found', { detail: goneMeanwhile })
  const code = 'code' in error ? fastifyCodes[error.code] : undefined
  if (code === 'body_too_large') return bodyTooLarge(routeOptions.bodyLimit)
  if (code !== undefined) return new Problem(code)
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  return new Problem(status >= 400 && status < 500 ? 'malformed_request' : 'internal_error')
}

function bodyTooLarge(limitBytes: number): Problem {
  const detail = `The body exceeds the limit of ${limitBytes / 1024 / 1024} MiB. Split the request into smaller ones.`
  return new Problem('body_too_large', { detail })
}
