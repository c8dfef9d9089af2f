import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type TestResponse = { status: number; headers: Headers; body: any; text: string; bytes: Buffer }

type Sent = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
}

const unpackers: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}
// The client closes idle connections before the service does: otherwise a reused connection could fail like a lost request.
const usualAgent = new Agent({ keepAlive: true, timeout: 10_000 })

/** Sends a request unchanged. fetch would normalize the URL, reject some headers, and take twice the time. */
export async function sendRequest(serviceUrl: string, sent: Sent, agent = usualAgent): Promise<TestResponse> {
  const { hostname, port } = new URL(serviceUrl)
  const { method, path, headers, body } = sent
  const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ agent, hostname, port, method, path, headers: { ...headers, ...length } })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
  return readResponse(response)
}

/** Reads only the first part of an endless stream. */
async function readResponse(response: IncomingMessage): Promise<TestResponse> {
  const headers = headersOf(response)
  const type = headers.get('content-type') ?? ''
  const isEndless = type.startsWith('text/event-stream')
  const bytes = Buffer.concat(await (isEndless ? response.take(1) : response).toArray())
  const unpack = unpackers[headers.get('content-encoding') ?? '']
  const unpacked = unpack === undefined || bytes.length === 0 ? bytes : unpack(bytes)
  const text = unpacked.toString()
  const isJson = /[/+]json\b/.test(type) && text !== ''
  const body = isJson ? JSON.parse(text) : undefined
  return { status: response.statusCode ?? 0, headers, text, bytes: unpacked, body }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  return headers
}
