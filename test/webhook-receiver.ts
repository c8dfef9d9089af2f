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
/** 0 closes the connection without a response. */
type ReceiverResponse = number | { status: number; headers?: Record<string, string>; body?: string }

/** An endpoint on loopback that records requests and responds with the result of `respond`, by default 200. */
export async function startReceiver(
  respond: (
    event: CatalogEvent,
    headers: IncomingHttpHeaders,
  ) => ReceiverResponse | Promise<ReceiverResponse> = () => 200,
) {
  const received: Received[] = []
  const receiver = { url: '', respond, received, delivered, secrets: [] as string[], unverified: 0 }
  const server = createServer(async (request, response) => {
    const at = Date.now()
    const body = Buffer.concat(await request.toArray()).toString()
    const event = JSON.parse(body)
    if (receiver.secrets.length > 0 && !isSigned(receiver.secrets, body, request.headers))
      receiver.unverified += 1
    const result = await receiver.respond(event, request.headers)
    const { status, headers = {}, body: text = '' } = typeof result === 'number' ? { status: result } : result
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

  /** Events with a 2xx response. */
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
