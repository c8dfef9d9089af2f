import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'
import type { CatalogEvent } from '../src/delivery/events/event.schema.ts'
import { whenFileEnds } from './setup/file-end.ts'

type Received = {
  event: CatalogEvent & { truncated?: true }
  headers: IncomingHttpHeaders
  body: string
  status: number
  /** When it arrived, in milliseconds. */
  at: number
}
/** 0: it hangs up without an answer. */
type TestResponse = number | { status: number; headers?: Record<string, string>; body?: string }

/** An endpoint on loopback: it keeps what comes, and answers as it is told, by default 200. */
export async function startReceiver(
  answer: (event: CatalogEvent, headers: IncomingHttpHeaders) => TestResponse | Promise<TestResponse> = () =>
    200,
) {
  const received: Received[] = []
  const receiver = { url: '', answer, received, delivered, secrets: [] as string[], unverified: 0 }
  const server = createServer(async (request, response) => {
    const at = Date.now()
    const body = Buffer.concat(await request.toArray()).toString()
    const event = JSON.parse(body)
    if (receiver.secrets.length > 0 && !isSigned(receiver.secrets, body, request.headers))
      receiver.unverified += 1
    const told = await receiver.answer(event, request.headers)
    const { status, headers = {}, body: text = '' } = typeof told === 'number' ? { status: told } : told
    received.push({ event, headers: request.headers, body, status, at })
    if (status === 0) return void request.socket.destroy()
    response.writeHead(status, headers).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
  return receiver

  /** What was answered by success. */
  function delivered(): CatalogEvent[] {
    return received.filter(({ status }) => status >= 200 && status < 300).map(({ event }) => event)
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export function isSigned(secrets: readonly string[], body: string, headers: IncomingHttpHeaders): boolean {
  return secrets.some((secret) => {
    try {
      new Verifier(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
}
