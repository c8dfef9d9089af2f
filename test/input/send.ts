import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Answer } from '../harness.ts'
import type { OddRequest } from './odd-requests.ts'

const unpackers: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends a request as it stands: fetch would mend the address and refuse some headers. */
export async function send(serviceUrl: string, odd: OddRequest): Promise<Answer> {
  const { hostname, port } = new URL(serviceUrl)
  const length = odd.body && { 'content-length': String(odd.body.length) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      agent,
      hostname,
      port,
      method: odd.method,
      path: odd.path,
      headers: { ...odd.headers, ...length },
    })
      .on('response', resolve)
      .on('error', reject)
      .end(odd.body)
  })
  const isEndless = response.headers['content-type']?.startsWith('text/event-stream') === true
  const bytes = Buffer.concat(await (isEndless ? response.take(1) : response).toArray())
  const unpack = unpackers[response.headers['content-encoding'] ?? '']
  const text = (unpack === undefined || bytes.length === 0 ? bytes : unpack(bytes)).toString()
  const headers = new Headers(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  )
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '') && text !== ''
  return { status: response.statusCode ?? 0, headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** For the message of a test that failed: enough to send it again. */
export function told({ method, path, headers, body }: OddRequest): string {
  const { authorization: _token, cookie: _session, ...shown } = headers
  const text = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 1000))}`
  return `${method} ${path} ${JSON.stringify(shown)}${text}`
}
