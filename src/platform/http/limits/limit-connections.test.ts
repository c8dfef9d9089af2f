import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startTestService } from '../../../../test/harness.ts'

test('over the limit of connections those that wait idly give way', async () => {
  const { url } = await startTestService({ maxConnections: 3 })
  const idle = [await opened(url), await opened(url), await opened(url)]
  const closed = Promise.all(
    idle.map((socket) => socket && new Promise((resolve) => socket.on('close', resolve))),
  )
  expect(await opened(url)).toBeUndefined()
  await closed
  const next = await opened(url)
  expect(next).toBeDefined()
  next?.destroy()
})

/** A connection whose first request got a response; undefined if it was closed instead. */
function opened(url: string): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).on('close', () => resolve(undefined))
    socket.once('data', () => resolve(socket.resume()))
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  })
}
