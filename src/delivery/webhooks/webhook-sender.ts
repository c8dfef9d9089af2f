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
  /** False where connections to inner networks would not be refused: then nothing is sent. */
  isSafe(): Promise<boolean>
  post(message: Message): Promise<Outcome>
  close(): void
}

/** What posts events, to the public internet and to the networks that the operator allows. */
export function webhookSender(
  log: FastifyBaseLogger,
  allowed: readonly string[] = [],
  limits: WebhookLimits = webhookLimits,
): WebhookSender {
  const rules = dialRules(allowed)
  const agents = guardedAgents(rules)
  const dial = { agents, lookup: resolveNames(allowed.length > 0) }
  let tested: Promise<boolean> | undefined
  return {
    rules,
    limits,
    isSafe() {
      tested ??= selfTest(log, limits)
      return tested
    },
    post: (message) => postEvent(dial, message, limits),
    close: agents.destroy,
  }
}

/** With a network allowed that is not this machine's, both agents have to refuse this machine. */
const unusedNetwork = '192.0.2.0/24'

async function selfTest(
  log: FastifyBaseLogger,
  { selfTestAllows = [unusedNetwork] }: WebhookLimits,
): Promise<boolean> {
  const isSafe = await refusesLoopback(dialRules(selfTestAllows)).catch(() => false)
  if (!isSafe) log.error('webhooks are off: connections to private networks would not be blocked')
  return isSafe
}

/** By what connections are made. */
type Dial = { agents: GuardedAgents; lookup: LookupFunction }

type Message = { url: string; id: string; body: string; secrets: readonly Buffer[] }

/** What came of one try. */
export type Outcome = {
  /** Null where no answer came. */
  status: number | null
  /** Null after a success. */
  error: string | null
  milliseconds: number
  /** As much of the answer as was read. */
  answer: Buffer
  retryAfter: string | undefined
}

/** Posts one signed event. Redirects are not followed, and of the answer no more than its bound is read. */
async function postEvent(
  dial: Dial,
  message: Message,
  { exchangeMilliseconds, answerBytes }: Pick<WebhookLimits, 'exchangeMilliseconds' | 'answerBytes'>,
): Promise<Outcome> {
  const start = performance.now()
  const none = { status: null, answer: Buffer.alloc(0), retryAfter: undefined }
  const result = await exchange(dial, message, AbortSignal.timeout(exchangeMilliseconds), answerBytes).catch(
    (error: NodeJS.ErrnoException) => ({ ...none, error: explain(error) }),
  )
  return { ...result, milliseconds: Math.round(performance.now() - start) }
}

async function exchange(
  { agents, lookup }: Dial,
  { url, id, body, secrets }: Message,
  signal: AbortSignal,
  answerBytes: number,
): Promise<Omit<Outcome, 'milliseconds'>> {
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
  const answer = await send(request, body)
  const status = answer.statusCode ?? 0
  const error = status >= 200 && status < 300 ? null : `HTTP ${status}`
  return {
    status,
    error,
    answer: await readStart(answer, answerBytes),
    retryAfter: answer.headers['retry-after'],
  }
}

/** A receiver may close an idle connection just when it is used again: that is no fault, and the event goes by another one. */
async function send(make: () => ClientRequest, body: string): Promise<IncomingMessage> {
  const request = make()
  return answerTo(request, body).catch((error: NodeJS.ErrnoException) => {
    const wasClosed = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    if (!wasClosed) throw error
    return answerTo(make(), body)
  })
}

function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // An answer that switches to another protocol closes the connection without an error.
    request.once('close', () => reject(new Error('closed without a response')))
    request.once('response', resolve).once('error', reject).end(body)
  })
}

/** An answer that goes on behind the bound, or breaks off, has told its status all the same. */
async function readStart(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let left = mostBytes
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, left))
      left -= part.length
      if (left <= 0) break
    }
  } catch {
    // What was read is enough.
  }
  return Buffer.concat(parts)
}

/** For people; it tells nothing of the network that the service is in. */
function explain(error: NodeJS.ErrnoException): string {
  if (isBlocked(error))
    return 'the URL points to a private network, which the operator does not allow (--webhook-allow)'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no response in time'
  if (/^(ENOTFOUND|ENODATA|EAI_AGAIN|ESERVFAIL|ETIMEOUT)$/.test(error.code ?? ''))
    return 'the host name does not resolve'
  if (/CERT|SELF_SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(error.code ?? ''))
    return `the certificate is not valid (${error.code})`
  return error.code === undefined ? 'the connection failed' : `the connection failed (${error.code})`
}

/** The event as it is sent: a large one without what it was and became, which the feed and the history tell. */
export function bodyOf(event: Pick<CatalogEvent, 'data'>, mostBytes: number): string {
  const whole = JSON.stringify(event)
  if (Buffer.byteLength(whole) <= mostBytes) return whole
  return JSON.stringify({ ...event, data: { ...event.data, before: null, after: null }, truncated: true })
}

/** The headers of Standard Webhooks, with a signature by each of the secrets. */
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
