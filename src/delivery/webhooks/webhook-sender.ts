import { createHmac } from 'node:crypto'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { http } from '../../platform/http/node-http.ts'
import { type DialRules, dialRules } from '../../platform/outbound/check-address.ts'
import {
  type GuardedAgents,
  guardedAgents,
  isBlocked,
  limitIdleSockets,
  refusesLoopback,
} from '../../platform/outbound/guarded-agents.ts'
import { resolveNames } from '../../platform/outbound/resolve-name.ts'
import { version } from '../../platform/version.ts'
import type { CatalogEvent } from '../events/event.schema.ts'
import { type WebhookLimits, webhookLimits } from '../limits.ts'

export type WebhookSender = {
  rules: DialRules
  limits: WebhookLimits
  /** The configured base URL, for the files of products; empty if there is none. */
  baseUrl: string
  /** False if connections to private networks would not be blocked: then nothing is sent. */
  isSafe(): Promise<boolean>
  post(message: Message): Promise<DeliveryResult>
  close(): void
}

/** Sends events to the public internet and to the networks that the operator allows. */
export function webhookSender(
  log: FastifyBaseLogger,
  allowed: readonly string[] = [],
  limits: WebhookLimits = webhookLimits,
  baseUrl = '',
): WebhookSender {
  const rules = dialRules(allowed)
  const agents = guardedAgents(rules)
  const dial = { agents, lookup: resolveNames(allowed.length > 0) }
  let tested: Promise<boolean> | undefined
  return {
    rules,
    limits,
    baseUrl,
    isSafe() {
      tested ??= selfTest(log, limits)
      return tested
    },
    post: (message) => postEvent(dial, message, limits),
    close: agents.destroy,
  }
}

/** The self-test allows only this network, so both agents must block connections to this machine. */
const unusedNetwork = '192.0.2.0/24'

async function selfTest(
  log: FastifyBaseLogger,
  { selfTestAllows = [unusedNetwork] }: WebhookLimits,
): Promise<boolean> {
  const isSafe = await refusesLoopback(dialRules(selfTestAllows)).catch(() => false)
  if (!isSafe) log.error('webhooks are off: connections to private networks would not be blocked')
  return isSafe
}

type Dial = { agents: GuardedAgents; lookup: LookupFunction }

type Message = { url: string; id: string; body: string; secrets: readonly Buffer[] }

/** The result of one attempt. */
export type DeliveryResult = {
  /** Null if there was no response. */
  status: number | null
  /** Null after a success. */
  error: string | null
  milliseconds: number
  /** The beginning of the response body. */
  body: Buffer
  retryAfter: string | undefined
}

/** Sends one signed event. Does not follow redirects, and reads the response only up to its limit. */
async function postEvent(
  dial: Dial,
  message: Message,
  { exchangeMilliseconds, responseBytes }: Pick<WebhookLimits, 'exchangeMilliseconds' | 'responseBytes'>,
): Promise<DeliveryResult> {
  const start = performance.now()
  const noResponse = { status: null, body: Buffer.alloc(0), retryAfter: undefined }
  const result = await exchange(
    dial,
    message,
    AbortSignal.timeout(exchangeMilliseconds),
    responseBytes,
  ).catch((error: NodeJS.ErrnoException) => ({ ...noResponse, error: describeError(error) }))
  return { ...result, milliseconds: Math.round(performance.now() - start) }
}

async function exchange(
  { agents, lookup }: Dial,
  { url, id, body, secrets }: Message,
  signal: AbortSignal,
  responseBytes: number,
): Promise<Omit<DeliveryResult, 'milliseconds'>> {
  const isPlain = url.startsWith('http://')
  const agent = isPlain ? agents.http : agents.https
  if (agent === undefined) throw new Error('plain http is not allowed')
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': `catalog-service/${version}`,
    ...signedHeaders(id, body, secrets),
  }
  const request = () =>
    (isPlain ? http : https).request(url, { method: 'POST', agent, lookup, headers, signal })
  limitIdleSockets(agent)
  const response = await send(request, body)
  const status = response.statusCode ?? 0
  const error = status >= 200 && status < 300 ? null : `HTTP ${status}`
  return {
    status,
    error,
    body: await readStart(response, responseBytes),
    retryAfter: response.headers['retry-after'],
  }
}

/** A receiver may close an idle connection just as it is reused. Then the request is repeated on a new connection. */
async function send(createRequest: () => ClientRequest, body: string): Promise<IncomingMessage> {
  const request = createRequest()
  return receiveResponse(request, body).catch((error: NodeJS.ErrnoException) => {
    const wasClosed = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    if (!wasClosed) throw error
    return receiveResponse(createRequest(), body)
  })
}

function receiveResponse(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A response that switches protocols closes the connection without an error.
    request.once('close', () => reject(new Error('closed without a response')))
    request.once('response', resolve).once('error', reject).end(body)
  })
}

/** Stops at the limit. A body that breaks off is fine too, because the status is already known. */
async function readStart(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let left = mostBytes
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, left))
      left -= part.length
      if (left <= 0) break
    }
  } catch {
    // Use what was read so far.
  }
  return Buffer.concat(parts)
}

/** For users; reveals nothing about the network of the service. */
function describeError(error: NodeJS.ErrnoException): string {
  if (isBlocked(error))
    return 'the URL points to a private network, which the operator does not allow (--webhook-allow)'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no response in time'
  if (/^(ENOTFOUND|ENODATA|EAI_AGAIN|ESERVFAIL|ETIMEOUT)$/.test(error.code ?? ''))
    return 'the host name does not resolve'
  if (/CERT|SELF_SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(error.code ?? ''))
    return `the certificate is not valid (${error.code})`
  return error.code === undefined ? 'the connection failed' : `the connection failed (${error.code})`
}

/** The event as JSON. A large event is sent without `before` and `after`, which the feed contains. */
export function eventBody(event: Pick<CatalogEvent, 'data'>, mostBytes: number): string {
  const full = JSON.stringify(event)
  if (Buffer.byteLength(full) <= mostBytes) return full
  return JSON.stringify({ ...event, data: { ...event.data, before: null, after: null }, truncated: true })
}

/** The headers of Standard Webhooks, with one signature per secret. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly Buffer[],
  unixSeconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${unixSeconds}.${body}`).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
