import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Serving } from '../processes/catalog-process.ts'

/** Sends a request and reads no more of the answer than its status. */
export async function readLate(
  { url }: Serving,
  token: string | undefined,
  path: string,
  method = 'GET',
  body = '',
): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${length}\r\n${body}`)
  const status = await new Promise<string>((resolve) => {
    socket.once('readable', () => resolve(String(socket.read(12) ?? socket.read())))
  })
  return Number(status.slice(9, 12))
}
