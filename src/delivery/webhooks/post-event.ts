import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { http } from '../../platform/http/node-http.ts'
import { boundIdle, type GuardedAgents, isBlocked } from '../../platform/outbound/guarded-agents.ts'
import { version } from '../../platform/version.ts'
import { signedHeaders } from './sign-event.ts'
import type { WebhookLimits } from './webhook-limits.ts'

/** By what connections are made. */
export type Dial = { agents: GuardedAgents; lookup: LookupFunction }

export type Message = { url: string; id: string; body: string; secrets: readonly Buffer[] }

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
export async function postEvent(
  dial: Dial,
  message: Message,
  { timeout, answerBytes }: Pick<WebhookLimits, 'timeout' | 'answerBytes'>,
): Promise<Outcome> {
  const start = performance.now()
  const none = { status: null, answer: Buffer.alloc(0), retryAfter: undefined }
  const result = await exchange(dial, message, AbortSignal.timeout(timeout), answerBytes).catch(
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
  boundIdle(agent)
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
    request.once('close', () => reject(new Error('closed without an answer')))
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
    return 'the address leads to an inner network, which the operator does not allow (--webhook-allow)'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time'
  if (/^(ENOTFOUND|ENODATA|EAI_AGAIN|ESERVFAIL|ETIMEOUT)$/.test(error.code ?? ''))
    return 'the name leads nowhere'
  if (/CERT|SELF_SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(error.code ?? ''))
    return `the certificate is not valid (${error.code})`
  return error.code === undefined ? 'the connection failed' : `the connection failed (${error.code})`
}
