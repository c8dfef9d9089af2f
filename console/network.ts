/** The only file that calls the network. Everything else asks for data through queries.ts and changes.ts. */

import { type EndReason, sessionEnd } from './session-end.ts'

type Fault = { pointer?: string; parameter?: string; code: string; message: string }

/** What the service says to programs, where people need other words. */
const forPeople: Record<string, string> = {
  database_unavailable: 'The database is away for the moment. Try again in a few seconds.',
  outcome_unknown:
    'The database has not confirmed this, so it is not known whether it was done. Look before you try again.',
  query_timeout: 'This took too long. Try again in a few seconds.',
  not_ready: 'The service is starting or stopping. Try again in a few seconds.',
  too_many_attempts: 'Too many attempts. Wait a minute, then try again.',
  not_authenticated: 'Your session ended. Sign in again, then try again.',
  other_account: 'Another account signed in, so this was not sent. Sign in again, then try again.',
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

/** No answer came; a write may have been done all the same. */
export class UnreachableError extends Error {
  /** Nothing was sent, and what to do is to connect. */
  readonly wasOffline: boolean

  constructor(message: string, wasOffline = false) {
    super(message)
    this.wasOffline = wasOffline
  }
}

const unanswered = {
  read: {
    online: 'The service does not answer. Check that it runs and that you are connected, then try again.',
    offline: 'You are offline. Connect, then try again.',
  },
  write: {
    online: 'No answer came, so it is not known whether this was done. Look before you try again.',
    offline: 'You are offline, so nothing was sent. Connect, then try again.',
  },
}

const longestSeconds = 30

const endReasons: Record<string, EndReason> = {
  not_authenticated: 'ended',
  other_account: 'other_account',
}

/** Sends a request again once the user is signed in again, where it was refused because the session ended. */
async function send<Answer>(
  path: string,
  init: RequestInit = {},
  waitSeconds = longestSeconds,
): Promise<Answer> {
  for (;;) {
    try {
      return await exchange(path, init, waitSeconds)
    } catch (error) {
      const reason = error instanceof ProblemError ? endReasons[error.code] : undefined
      if (reason === undefined || !(await sessionEnd.wait(reason, init.method !== undefined))) throw error
    }
  }
}

/** Refused where the session is not that of this page's user. */
export async function checkSession(): Promise<void> {
  await exchange('/console/api/session', {}, longestSeconds)
}

async function exchange<Answer>(path: string, init: RequestInit, waitSeconds: number): Promise<Answer> {
  // An offline browser still reaches a service on its own machine, so every request is tried.
  const network = navigator.onLine ? 'online' : 'offline'
  const { response, text } = await fetchText(path, init, waitSeconds).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new UnreachableError(
      unanswered[init.method === undefined ? 'read' : 'write'][network],
      network === 'offline',
    )
  })
  // The caller that catches this reads everything again, which shows the change.
  if (response.headers.get('catalog-response') === 'dropped')
    throw new UnreachableError(
      'Your change was saved, but the service could not return it. Do not repeat it.',
    )
  const body = parse(text)
  if (!response.ok) throw new ProblemError(response.status, body ?? {}, response.headers.get('retry-after'))
  return body
}

/** The whole answer: a connection that breaks in the middle of it is as good as none. */
async function fetchText(path: string, { signal, ...init }: RequestInit, waitSeconds: number) {
  const late = AbortSignal.timeout(waitSeconds * 1_000)
  const headers = new Headers(init.headers)
  // The cookie may have become that of another account meanwhile, in another tab.
  if (sessionEnd.user !== undefined) headers.set('catalog-user', String(sessionEnd.user.id))
  const response = await fetch(path, {
    credentials: 'same-origin',
    ...init,
    headers,
    signal: signal ? AbortSignal.any([signal, late]) : late,
  })
  return { response, text: await response.text() }
}

// biome-ignore lint/suspicious/noExplicitAny: the caller names the shape of the answer
function parse(text: string): any {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A page's own code, which is fetched when the page is first opened; a reload would not bring it offline. */
export async function readCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    throw navigator.onLine ? error : new UnreachableError(unanswered.read.offline, true)
  }
}

export function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return send(path, signal === undefined ? {} : { signal })
}

/** `version`: refused where somebody else has written a later one meanwhile. */
export function write<Answer>(
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  body: unknown = {},
  version?: number,
): Promise<Answer> {
  return send(path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(version !== undefined && { 'if-match': `"${version}-"` }),
    },
    body: JSON.stringify(body),
  })
}

export function remove(path: string): Promise<unknown> {
  return send(path, { method: 'DELETE' })
}

/** A write that may take longer than any other, such as an apply of many lines. */
export function writeLong<Answer>(path: string, body: unknown, waitSeconds: number): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) }, waitSeconds)
}

/** Products as NDJSON. After a cancellation it is unknown whether they arrived, so the caller sends them again with the same key. */
export function writeLines<Answer>(
  path: string,
  body: Blob,
  { signal, waitSeconds, key }: { signal: AbortSignal; waitSeconds: number; key: string },
): Promise<Answer> {
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': key }
  return send(path, { method: 'POST', headers, body, signal }, waitSeconds)
}

/** An answer as it came, of any status; a long one only as far as it is shown. */
export type RawResponse = {
  status: number
  statusText: string
  milliseconds: number
  headers: Headers
  text: string
  isCut: boolean
}

const noAnswer =
  'No answer came. Check that the service runs and that you are connected; after a write, look whether it was done before you send it again.'

/** A request that a person composed: with the headers that they gave alone, never with the cookie of the session. */
export async function sendRaw(
  url: string,
  init: RequestInit & { signal: AbortSignal },
  mostBytes: number,
): Promise<RawResponse> {
  const begin = performance.now()
  const options = { ...init, credentials: 'omit', cache: 'no-store', redirect: 'error' } as const
  // Made apart: what cannot be sent at all, such as a header of two lines, is no fault of the network.
  const request = new Request(url, options)
  try {
    const response = await fetch(request)
    const { text, isCut } = await readBeginning(response, mostBytes)
    const { status, statusText, headers } = response
    return { status, statusText, headers, text, isCut, milliseconds: performance.now() - begin }
  } catch (error) {
    throw error instanceof TypeError ? new Error(noAnswer) : error
  }
}

/** Reads no more than it shows: an export may be larger than the memory of the tab. */
async function readBeginning(response: Response, mostBytes: number) {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    text += decoder.decode(bytes > mostBytes ? part.subarray(0, part.length - (bytes - mostBytes)) : part, {
      stream: true,
    })
    if (bytes > mostBytes) return { text, isCut: true }
  }
  return { text: text + decoder.decode(), isCut: false }
}
