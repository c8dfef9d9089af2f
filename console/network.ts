/** The only file that calls the network. Other files use queries.ts and changes.ts. */

import { type EndReason, sessionEnd } from './session-end.ts'
import { strings } from './strings.ts'
import type { Session } from './wire.ts'

type FieldError = { pointer?: string; parameter?: string; code: string; message: string }

/** An error response, as in RFC 9457. */
export class ProblemError extends Error {
  readonly status: number
  readonly code: string
  readonly fieldErrors: readonly FieldError[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    problem: {
      detail?: string
      title?: string
      message?: string
      code?: string
      errors?: FieldError[]
      request_id?: string
    },
    retryAfter: string | null,
  ) {
    super(
      strings.problems[problem.code ?? ''] ??
        problem.detail ??
        problem.message ??
        problem.title ??
        strings.status(status),
    )
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.fieldErrors = problem.errors ?? []
    this.requestId = problem.request_id
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
  }
}

/** No response. A write may have been saved. */
export class UnreachableError extends Error {
  /** Nothing was sent. */
  readonly wasOffline: boolean

  constructor(message: string, wasOffline = false) {
    super(message)
    this.wasOffline = wasOffline
  }
}

const timeoutSeconds = 30

const endReasons: Record<string, EndReason> = {
  not_authenticated: 'ended',
  other_account: 'other_account',
  second_factor_required: 'second_factor',
}

type Transport = (path: string, init: RequestInit, waitSeconds: number) => Promise<Received>
type Received = { status: number; header: (name: string) => string | null; text: string }

/** Repeats a request after the user signed in again, if it failed because the session ended. */
async function send<Body>(
  path: string,
  init: RequestInit = {},
  waitSeconds = timeoutSeconds,
  transport = fetchText,
): Promise<Body> {
  for (;;) {
    try {
      return await exchange(path, init, waitSeconds, transport)
    } catch (error) {
      const reason = error instanceof ProblemError ? endReasons[error.code] : undefined
      if (reason === undefined || !(await sessionEnd.wait(reason, init.method !== undefined))) throw error
    }
  }
}

/** Throws if the session is not that of this page's user. */
export function checkSession(): Promise<Session> {
  return exchange('/console/api/session', {}, timeoutSeconds, fetchText)
}

async function exchange<Body>(
  path: string,
  init: RequestInit,
  waitSeconds: number,
  transport: Transport,
): Promise<Body> {
  // An offline browser can still reach a service on its own machine.
  const network = navigator.onLine ? 'online' : 'offline'
  const { status, header, text } = await transport(path, init, waitSeconds).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new UnreachableError(
      strings.unreachable[init.method === undefined ? 'read' : 'write'][network],
      network === 'offline',
    )
  })
  // The caller refetches all data after this error, which shows the change.
  if (header('catalog-response') === 'dropped') throw new UnreachableError(strings.saved)
  const body = parse(text)
  if (status < 200 || status > 299) throw new ProblemError(status, body ?? {}, header('retry-after'))
  return body
}

/** The complete response. A connection that breaks while it arrives counts as no response. */
async function fetchText(path: string, { signal, ...init }: RequestInit, waitSeconds: number) {
  const late = AbortSignal.timeout(waitSeconds * 1_000)
  const response = await fetch(path, {
    credentials: 'same-origin',
    ...init,
    headers: headersFor(init),
    signal: signal ? AbortSignal.any([signal, late]) : late,
  })
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, header, text: await response.text() }
}

function headersFor(init: RequestInit): Headers {
  const headers = new Headers(init.headers)
  // Another tab may have replaced the cookie with that of another account.
  if (sessionEnd.user !== undefined) headers.set('catalog-user', String(sessionEnd.user.id))
  return headers
}

/** Reports the sent share of the body, which fetch cannot. */
function uploadText(progress: (share: number) => void): Transport {
  return (path, init, waitSeconds) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'POST', path)
      for (const [name, value] of headersFor(init)) request.setRequestHeader(name, value)
      request.timeout = waitSeconds * 1_000
      request.upload.onprogress = ({ loaded, total }) => progress(loaded / Math.max(total, 1))
      request.onload = () =>
        resolve({
          status: request.status,
          header: (name) => request.getResponseHeader(name),
          text: request.responseText,
        })
      request.onerror = request.ontimeout = request.onabort = () => reject(new Error('no response'))
      init.signal?.addEventListener('abort', () => request.abort(), { once: true })
      if (init.signal?.aborted) request.abort()
      else request.send(init.body as Blob)
    })
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the response
function parse(text: string): any {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Loads the code of a page when it is first opened. */
export async function readCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    const { online, offline } = strings.unreachable.read
    if (!navigator.onLine) throw new UnreachableError(offline, true)
    // The router reloads the console after any other error: a new release has replaced the code.
    throw (await isReachable()) ? error : new UnreachableError(online)
  }
}

/** Whether the current page would load. */
export async function isReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const response = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).catch(
    () => undefined,
  )
  return response?.ok === true
}

export function read<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  return send(path, signal === undefined ? {} : { signal })
}

/** `version`: rejects the write if a later version exists. `key`: a repeated write changes nothing again. */
export function write<Body>(
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  body: unknown = {},
  version?: number,
  key?: string,
): Promise<Body> {
  return send(path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(version !== undefined && { 'if-match': `"${version}-"` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
}

export function remove(path: string, waitSeconds = timeoutSeconds): Promise<unknown> {
  return send(path, { method: 'DELETE' }, waitSeconds)
}

/** A key of a write that may be repeated. randomUUID exists only on pages served over HTTPS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-')
}

/** A write with its own time limit, such as an apply of many lines. */
export function writeLong<Body>(path: string, body: unknown, waitSeconds: number): Promise<Body> {
  const headers = { 'content-type': 'application/json' }
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) }, waitSeconds)
}

/** Sends NDJSON. After a cancellation, the caller repeats the request with the same key. */
export function writeLines<Body>(
  path: string,
  body: Blob,
  { signal, waitSeconds, key }: { signal: AbortSignal; waitSeconds: number; key: string },
): Promise<Body> {
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': key }
  return send(path, { method: 'POST', headers, body, signal }, waitSeconds)
}

/** Sends a file, and reports which share of it was sent. */
export function sendFile<Body>(
  path: string,
  { body, type }: { body: Blob; type: string },
  {
    signal,
    waitSeconds,
    progress,
  }: { signal: AbortSignal; waitSeconds: number; progress: (share: number) => void },
): Promise<Body> {
  const init = { method: 'POST', headers: { 'content-type': type }, body, signal }
  return send(path, init, waitSeconds, uploadText(progress))
}

/** A response of any status. Long bodies are truncated. */
export type RawResponse = {
  status: number
  statusText: string
  milliseconds: number
  headers: Headers
  text: string
  isCut: boolean
}

/** Sends a request that the user composed, with the user's headers only and without the session cookie. */
export async function sendRaw(
  url: string,
  init: RequestInit & { signal: AbortSignal },
  mostBytes: number,
): Promise<RawResponse> {
  const begin = performance.now()
  const options = { ...init, credentials: 'omit', cache: 'no-store', redirect: 'error' } as const
  // Outside of the try block: an invalid request, such as a header with two lines, is no network error.
  const request = new Request(url, options)
  try {
    const response = await fetch(request)
    const { text, isCut } = await readBeginning(response, mostBytes)
    const { status, statusText, headers } = response
    return { status, statusText, headers, text, isCut, milliseconds: performance.now() - begin }
  } catch (error) {
    throw error instanceof TypeError ? new Error(strings.noResponse) : error
  }
}

/** Stops after `mostBytes`: an export can be larger than the memory of the tab. */
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
