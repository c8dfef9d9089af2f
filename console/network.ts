/** The only file that calls the network. Everything else asks for data through queries.ts and changes.ts. */

type Fault = { pointer?: string; parameter?: string; code: string; message: string }

/** What the service says to programs, where people need other words. */
const forPeople: Record<string, string> = {
  database_unavailable: 'The database is away for the moment. Try again in a few seconds.',
  query_timeout: 'This took too long. Try again in a few seconds.',
  not_ready: 'The service is starting or stopping. Try again in a few seconds.',
  too_many_attempts: 'Too many attempts. Wait a minute, then try again.',
}

/** An answer that is no success, in the shape of RFC 9457. */
export class ProblemError extends Error {
  readonly status: number
  readonly code: string
  readonly faults: readonly Fault[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    problem: {
      detail?: string
      title?: string
      message?: string
      code?: string
      errors?: Fault[]
      request_id?: string
    },
    retryAfter: string | null,
  ) {
    super(
      forPeople[problem.code ?? ''] ??
        problem.detail ??
        problem.message ??
        problem.title ??
        `The service answered with status ${status}.`,
    )
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.faults = problem.errors ?? []
    this.requestId = problem.request_id
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
  }
}

class UnreachableError extends Error {
  constructor() {
    super('The service does not answer. Check that it runs and that you are connected, then try again.')
  }
}

async function send<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new UnreachableError()
  })
  const text = await response.text()
  const body = parse(text)
  if (!response.ok) throw new ProblemError(response.status, body ?? {}, response.headers.get('retry-after'))
  return body
}

// biome-ignore lint/suspicious/noExplicitAny: the caller names the shape of the answer
function parse(text: string): any {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return send(path, signal === undefined ? {} : { signal })
}

export function write<Answer>(method: 'POST' | 'PATCH', path: string, body: unknown = {}): Promise<Answer> {
  return send(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
