import type { Problem } from './generated.ts'

export type ProblemCode = Problem['code']

/** Codes that the client itself reports. */
type ClientCode =
  | 'connection_failed'
  | 'outcome_unknown'
  | 'unexpected_response'
  | 'invalid_settings'
  | 'invalid_webhook'

export type ProblemFields = {
  /** 0 if there was no response. */
  status: number
  /** A newer service can send codes that this client does not know. */
  code: ProblemCode | ClientCode | (string & {})
  detail: string
  errors?: NonNullable<Problem['errors']>
  requestId?: string | undefined
  /** Seconds to wait before the next attempt. */
  retryAfter?: number | undefined
}

/** Every error of the client. It never contains the token. */
export class CatalogProblem extends Error {
  readonly status: number
  readonly code: ProblemFields['code']
  readonly errors: NonNullable<Problem['errors']>
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor({ status, code, detail, errors = [], requestId, retryAfter }: ProblemFields) {
    super(`${code}: ${detail}`)
    this.name = 'CatalogProblem'
    this.status = status
    this.code = code
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** The problem in a response. Proxies can send other bodies. */
export function problemOf({ status, headers }: Response, text: string): CatalogProblem {
  const after = headers.get('retry-after') || 'none'
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000
  const known = { status, retryAfter: seconds >= 0 ? seconds : undefined }
  try {
    const { code, detail, errors, request_id } = JSON.parse(text) as Problem
    if (typeof code === 'string')
      return new CatalogProblem({ ...known, code, detail, errors: errors ?? [], requestId: request_id })
  } catch {}
  const requestId = headers.get('x-request-id') ?? undefined
  const detail =
    status >= 400
      ? `The response has the status ${status}.`
      : 'The response is a redirect or a web page. Use the URL of the service.'
  return new CatalogProblem({ ...known, code: 'unexpected_response', detail, requestId })
}
