import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { limitConcurrency } from '../platform/scheduling/concurrency-limit.ts'
import { agentLimits } from './limits.ts'

type Message = {
  id?: string | number
  method?: string
  params?: { name?: string; _meta?: Record<string, unknown> }
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Forwards the messages of a desktop client, one per line, to the endpoint of a service, and its responses back. */
export async function forwardMessages(
  input: Readable,
  output: Writable,
  { url, token }: { url: URL; token: string },
): Promise<void> {
  const atOnce = limitConcurrency({ most: agentLimits.forwardedMessages, maxWaitSeconds: 0 })
  const running = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const work = atOnce
      .run(() => forward(line, url, token))
      .then((responses) => {
        for (const response of responses) output.write(`${response}\n`)
      })
      .finally(() => running.delete(work))
    running.add(work)
  }
  await Promise.all(running)
}

/** The responses to one message; none to a notification. */
async function forward(line: string, url: URL, token: string): Promise<string[]> {
  const message = parse(line)
  if (message === undefined) return [errorTo(null, -32700, 'The message is not valid JSON.')]
  if (Array.isArray(message)) return [errorTo(null, -32600, 'Send one message per line, not a batch.')]
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(message, token),
      body: line,
      redirect: 'error',
      signal: AbortSignal.timeout(agentLimits.messageMilliseconds),
    })
    const text = await response.text()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) return dataOf(text)
    if (isJson(text) && !isProblem(response)) return [JSON.stringify(JSON.parse(text))]
    return message.id === undefined || text === ''
      ? []
      : [errorTo(message.id, -32603, reasonOf(response, text))]
  } catch (error) {
    if (message.id === undefined) return []
    return [
      errorTo(
        message.id,
        -32603,
        `The service at ${url.origin} did not respond: ${(error as Error).message}`,
      ),
    ]
  }
}

function headersOf({ method, params }: Message, token: string): Record<string, string> {
  const version = params?._meta?.[versionKey]
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    ...(typeof version === 'string' && {
      'mcp-protocol-version': version,
      'mcp-method': String(method),
      ...(params?.name !== undefined && { 'mcp-name': params.name }),
    }),
  }
}

function parse(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

function dataOf(stream: string): string[] {
  return stream
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') && line.trim() !== 'data:' ? [line.slice(5).trim()] : []))
}

function isJson(text: string): boolean {
  return text.startsWith('{')
}

function isProblem({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/problem+json') === true
}

function reasonOf({ status }: Response, text: string): string {
  const { detail } = isJson(text) ? (JSON.parse(text) as { detail?: string }) : {}
  return `The service returned ${status}.${detail === undefined ? '' : ` ${detail}`}`
}

function errorTo(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
