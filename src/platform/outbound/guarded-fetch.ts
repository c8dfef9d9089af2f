import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { http } from '../http/node-http.ts'
import { version } from '../version.ts'
import { dialRules } from './check-address.ts'
import { type GuardedAgents, guardedAgents, isBlocked, refusesLoopback } from './guarded-agents.ts'
import { resolveNames } from './resolve-name.ts'

/** Why there is no response. The messages are for users and reveal nothing about the network of the service. */
const failures = {
  blocked: 'the address is in a private network, which the operator does not allow (--ai-allow)',
  unsafe: 'calls are off, because connections to private networks would not be blocked',
  plain: 'plain http needs an origin that the operator allows (--ai-allow)',
  redirect: 'the provider redirects, which the service does not follow',
  too_large: 'the response is too large',
  timed_out: 'no response in time',
  unresolved: 'the host name does not resolve',
  certificate: 'the certificate is not valid',
  stopped: 'the call was stopped',
  closed: 'the connection failed',
} as const

export class NoResponse extends Error {
  readonly failure: keyof typeof failures

  constructor(failure: keyof typeof failures) {
    super(failures[failure])
    this.failure = failure
  }
}

/** Origins that the operator allows, such as http://127.0.0.1:11434, and limits of an exchange. Only tests set the others. */
export type FetchRules = {
  allow: readonly string[]
  milliseconds: number
  bytes: number
  lookup?: LookupFunction
  selfTestAllows?: readonly string[]
}

type Exchange = {
  method: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  /** Reserves memory for each part of the response before the next one is read. */
  reserve?: (bytes: number, signal: AbortSignal) => Promise<void> | undefined
}
export type GuardedFetch = { send(url: string, exchange: Exchange): Promise<Response>; close(): void }

const everywhere = ['0.0.0.0/0', '::/0']
/** The self-test allows only this network, so both agents must block connections to this machine. */
const unusedNetwork = '192.0.2.0/24'

/**
 * Connects to the public internet over https, and to the allowed origins at any address. Follows no redirects. The address is
 * checked when the connection opens, so a name that resolves to a private address later is refused too.
 */
export function guardedFetch({
  allow,
  milliseconds,
  bytes,
  lookup,
  selfTestAllows = [unusedNetwork],
}: FetchRules): GuardedFetch {
  const toPublic = { agents: guardedAgents(dialRules([])), lookup: lookup ?? resolveNames(false) }
  const toAllowed = { agents: guardedAgents(dialRules(everywhere)), lookup: resolveNames(true) }
  let isTested = false
  const isSafe = async () => {
    // A failure is not remembered, because it can have a passing cause, such as no free port.
    isTested ||= await refusesLoopback(dialRules(selfTestAllows)).catch(() => false)
    return isTested
  }
  return {
    async send(url, exchange) {
      const late = AbortSignal.timeout(milliseconds)
      const dial = allow.includes(new URL(url).origin) ? toAllowed : toPublic
      const signal = AbortSignal.any([exchange.signal, late])
      try {
        if (dial === toPublic && !(await isSafe())) throw new NoResponse('unsafe')
        const response = await request(dial, url, { ...exchange, signal })
        const reserve = (part: number) => exchange.reserve?.(part, signal)
        return await toResponse(response, bytes, reserve)
      } catch (error) {
        if (late.aborted) throw new NoResponse('timed_out')
        if (signal.aborted) throw new NoResponse('stopped')
        throw describe(error as NodeJS.ErrnoException)
      }
    },
    close() {
      toPublic.agents.destroy()
      toAllowed.agents.destroy()
    },
  }
}

type Dial = { agents: GuardedAgents; lookup: LookupFunction }

function request(
  { agents, lookup }: Dial,
  url: string,
  { method, headers, body, signal }: Exchange,
): Promise<IncomingMessage> {
  const isPlain = url.startsWith('http://')
  const agent = isPlain ? agents.http : agents.https
  if (agent === undefined) throw new NoResponse('plain')
  // A failed request on a reused connection does not show whether it was billed, so every call has its own connection.
  const own = {
    'user-agent': `catalog-service/${version}`,
    'accept-encoding': 'identity',
    connection: 'close',
  }
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const options = { method, agent, lookup, headers: { ...headers, ...own, ...length }, signal }
  const sent: ClientRequest = (isPlain ? http : https).request(url, options)
  return new Promise((resolve, reject) => {
    // A response that switches protocols closes the connection without an error.
    sent.once('close', () => reject(new NoResponse('closed')))
    sent.once('response', resolve).once('error', reject).end(body)
  })
}

type Reserve = (bytes: number) => Promise<void> | undefined

async function toResponse(response: IncomingMessage, mostBytes: number, reserve: Reserve): Promise<Response> {
  const { statusCode: status = 0 } = response
  try {
    if (status >= 300 && status < 400) throw new NoResponse('redirect')
    if (status < 200 || status > 599) throw new NoResponse('closed')
    const body = await readWhole(response, mostBytes, reserve)
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value))
    return new Response(status === 204 ? null : new Uint8Array(body), { status, headers })
  } finally {
    if (!response.complete) response.on('error', () => {}).destroy()
  }
}

async function readWhole(response: IncomingMessage, mostBytes: number, reserve: Reserve): Promise<Buffer> {
  const parts: Buffer[] = []
  let left = mostBytes
  for await (const part of response as AsyncIterable<Buffer>) {
    left -= part.length
    if (left < 0) throw new NoResponse('too_large')
    await reserve(part.length)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function describe(error: NodeJS.ErrnoException): NoResponse {
  if (error instanceof NoResponse) return error
  if (isBlocked(error)) return new NoResponse('blocked')
  if (/^(ENOTFOUND|ENODATA|EAI_AGAIN|ESERVFAIL|ETIMEOUT)$/.test(error.code ?? ''))
    return new NoResponse('unresolved')
  if (/CERT|SELF_SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(error.code ?? '')) return new NoResponse('certificate')
  return new NoResponse('closed')
}
