import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Serving } from '../processes/catalog-process.ts'

export type LateResponse = '200' | '503 too_busy' | (string & {})

/** Sends a request and reads only the status of the response, and the error code of a rejection. */
export async function readLate(
  { url }: Serving,
  token: string | undefined,
  path: string,
  method = 'GET',
  body = '',
): Promise<LateResponse> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${length}\r\n${body}`)
  const start = await readSome(socket, 12)
  const status = start.slice(9, 12)
  if (status === '200') return status
  // Rejections are short, so that reading them does not turn a late reader into an early one.
  let rest = ''
  while (!rest.includes('"code":"')) rest += await readSome(socket)
  return `${status} ${/"code":"(\w+)"/.exec(rest)?.[1]}`
}

async function readSome(socket: Socket, bytes?: number): Promise<string> {
  for (;;) {
    const part = socket.read(bytes) ?? socket.read()
    if (part !== null) return String(part)
    if (socket.destroyed) throw new Error('the connection ended before the response')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
}
