import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Measured = { perSecond: number; p50: number; p99: number }
/** One path, or a function that chooses one per request. */
export type Path = string | (() => string)
export type Write = { method: 'POST' | 'PATCH'; path: () => string; body: () => object }
/** Mostly reads. The share is between 0 and 1. */
export type Mix = { reads: Path; writes: Write; writeShare: number }
export type Request = Path | Write | Mix

export const connections = 32

/**
 * Requests per second and latencies with 32 connections by default, each with one request at a time. It uses plain sockets: a general HTTP
 * client takes more time for a request than a bare server, so that its own speed would be the result.
 */
export async function load(
  url: string,
  token: string,
  request: Request,
  seconds: number,
  clients = connections,
): Promise<Measured> {
  const { hostname, port } = new URL(url)
  const nextMessage = messages(`host: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n`, request)
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay(true)
      await once(socket, 'connect')
      await repeat(socket, nextMessage, end, times)
    }),
  )
  return summarize(times, seconds)
}

/** Sends one request after another on a connection until the end. */
function repeat(socket: Socket, nextMessage: () => string, end: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const response = responseReader()
    let started = performance.now()
    socket.on('data', (part: Buffer) => {
      try {
        if (!response.isComplete(part)) return
      } catch (error) {
        socket.destroy()
        return reject(error)
      }
      const now = performance.now()
      times.push(now - started)
      started = now
      if (now < end) socket.write(nextMessage())
      else socket.destroy()
    })
    socket.once('error', reject).once('close', () => {
      if (performance.now() < end) reject(new Error('the server closed a connection'))
      else resolve()
    })
    socket.write(nextMessage())
  })
}

const headEnd = '\r\n\r\n'
const wanted = /^HTTP\/1\.1 (\d+).*?\r\ncontent-length: (\d+)/is

/** Counts the bytes of one response after another. Every measured response has a length. */
function responseReader() {
  let head: Buffer | undefined
  let missing = 0
  return {
    isComplete(part: Buffer): boolean {
      if (missing > 0) {
        missing -= part.length
        return missing <= 0
      }
      const bytes = head === undefined ? part : Buffer.concat([head, part])
      const bodyAt = bytes.indexOf(headEnd) + headEnd.length
      if (bodyAt < headEnd.length) {
        head = bytes
        return false
      }
      head = undefined
      const [, status, length] = wanted.exec(bytes.toString('latin1', 0, bodyAt)) ?? []
      if (length === undefined || Number(status) >= 300)
        throw new Error(`unexpected response: ${bytes.toString()}`)
      missing = Number(length) - (bytes.length - bodyAt)
      return missing <= 0
    },
  }
}

function messages(headers: string, request: Request): () => string {
  const read = (path: string) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`
  if (typeof request === 'string') return () => read(request)
  if (typeof request === 'function') return () => read(request())
  if ('reads' in request) {
    const [reads, writes] = [messages(headers, request.reads), messages(headers, request.writes)]
    return () => (Math.random() < request.writeShare ? writes() : reads())
  }
  return () => {
    const body = JSON.stringify(request.body())
    const length = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    return `${request.method} ${request.path()} HTTP/1.1\r\n${headers}${length}\r\n${body}`
  }
}

export function summarize(times: number[], seconds: number): Measured {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}
