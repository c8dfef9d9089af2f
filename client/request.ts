import { CatalogProblem, problemOf } from './problem.ts'

export type Settings = {
  /** The URL of the service, such as https://catalog.example.com. */
  url: string
  token: string
  fetch?: typeof globalThis.fetch
  /** How many times the client retries a request that is safe to repeat; 2 by default. */
  retries?: number
}

export type ReadOptions = {
  signal?: AbortSignal | undefined
  /** Receives the headers of the response, such as `ETag`. */
  onResponse?: (response: Response) => void
}

export type WriteOptions<Query> = ReadOptions & {
  query?: Query
  /** The ETag that the object must still have. */
  ifMatch?: string
  /** Set this key to repeat a request from an earlier process. By default, each call has its own key. */
  idempotencyKey?: string
  /** The media type of a file, if the Blob has none. */
  contentType?: string
}

type Call = ReadOptions & {
  method: string
  path: string
  query?: object | undefined
  body?: string | Blob | ArrayBuffer | undefined
  headers?: Record<string, string>
  /** Whether a second attempt cannot change more than the first. */
  isRepeatable: boolean
  retries?: number
  timeoutSeconds?: number
  /** Statuses of requests that had no effect or can be repeated. */
  repeats?: readonly number[]
}

export type Send = <Result>(call: Call, read: (response: Response) => Promise<Result>) => Promise<Result>

const maxWaitSeconds = 60
/** Broken connections that a proxy reports. */
const gateway: readonly number[] = [502, 504]
const repeatable = [429, 503, ...gateway]

/** Sends requests with the token, which only this function knows. */
export function sender(
  { url, token, retries = 2, fetch }: Settings,
  onAnyResponse: (response: Response) => void,
): Send {
  checkSettings(url, token)
  const base = url.replace(/\/+$/, '')
  const hidden = (text: string) => text.replaceAll(token, '[token]')

  async function attempt<Result>(
    call: Call,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result | CatalogProblem> {
    const { method, path, query, body, headers, timeoutSeconds, signal } = call
    const limits = [signal, timeoutSeconds && AbortSignal.timeout(timeoutSeconds * 1000)].filter(
      (one) => !!one,
    )
    let response: Response
    let result: Result
    try {
      response = await (fetch ?? globalThis.fetch)(base + path + searchOf(query), {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        redirect: 'manual',
        ...(body !== undefined && { body }),
        ...(limits.length > 0 && { signal: firstOf(limits as AbortSignal[]) }),
      })
      onAnyResponse(response)
      const isPage = response.headers.get('content-type')?.startsWith('text/html')
      if (!response.ok || isPage) {
        const problem = problemOf(response, hidden(await response.text()))
        const { status } = problem
        return gateway.includes(status) ? connectionProblem(call, `status ${status}`, problem) : problem
      }
      result = await read(response)
    } catch (error) {
      signal?.throwIfAborted()
      return connectionProblem(call, hidden(String((error as Error).cause ?? error)))
    }
    call.onResponse?.(response)
    return result
  }

  return async (call, read) => {
    const { isRepeatable, repeats = isRepeatable ? repeatable : [], signal } = call
    for (let left = call.retries ?? retries, step = 0; ; left--, step++) {
      const result = await attempt(call, read)
      if (!(result instanceof CatalogProblem)) return result
      const { retryAfter = Math.random() * Math.min(10, 2 ** step / 2) } = result
      if (left <= 0 || !isWorth(result) || retryAfter > maxWaitSeconds) throw result
      await pause(retryAfter, signal)
    }

    function isWorth({ status, code }: CatalogProblem): boolean {
      // The first attempt is still in progress after its connection broke.
      if (code === 'idempotency_in_flight') return true
      // Browsers show the status 0 for a redirect.
      return status === 0 ? isRepeatable && code !== 'unexpected_response' : repeats.includes(status)
    }
  }
}

function checkSettings(url: string, token: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isLocal = /^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(parsed?.origin ?? '')
  const wrong =
    (!parsed && 'The URL is not valid.') ||
    (parsed?.protocol !== 'https:' &&
      !isLocal &&
      'The URL must use https, so that no one else can read the token.') ||
    (/[?#]|\/\/[^/]*@/.test(url) && 'The URL must not contain a user name, a password or a query.') ||
    (!/^[\x21-\x7e]+$/.test(token) &&
      'The token is empty, or contains spaces or other characters that tokens never have.')
  if (wrong) throw new CatalogProblem({ status: 0, code: 'invalid_settings', detail: wrong })
}

function connectionProblem(
  { method, headers }: Call,
  reason: string,
  { status, requestId, retryAfter }: Partial<CatalogProblem> = {},
): CatalogProblem {
  const known = { status: status ?? 0, requestId, retryAfter }
  if (method === 'GET')
    return new CatalogProblem({
      ...known,
      code: 'connection_failed',
      detail: `The connection failed (${reason}).`,
    })
  const key = headers?.['idempotency-key']
  const advice = key
    ? `Repeat the request with the idempotencyKey ${key}; it takes effect only once.`
    : 'Read the current state before you repeat the request.'
  const detail = `The connection failed (${reason}), so the change may or may not have been made. ${advice}`
  return new CatalogProblem({ ...known, code: 'outcome_unknown', detail })
}

/** Node before 20.3 cannot combine signals; the first is the caller's. */
function firstOf(signals: AbortSignal[]): AbortSignal {
  return AbortSignal.any?.(signals) ?? (signals[0] as AbortSignal)
}

/** Joins arrays with commas, and writes objects as name[key]. */
function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (value?.constructor !== Object) search.set(name, String(value))
    else for (const [key, one] of Object.entries(value)) search.set(`${name}[${key}]`, String(one))
  }
  return `${search}` && `?${search}`
}

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
