import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { openLog } from '../../platform/http/request-log.ts'
import { type WebhookLimits, webhookLimits } from '../limits.ts'
import { webhookSender } from './webhook-sender.ts'

// Long enough for a busy machine to read what a receiver has sent.
const limits = { ...webhookLimits, exchangeMilliseconds: 1_000 }
const hasty = openSender(limits)
const patient = openSender(webhookLimits)

function openSender(chosen: WebhookLimits) {
  const sender = webhookSender(openLog('silent'), ['127.0.0.0/8'], chosen)
  whenFileEnds(() => sender.close())
  return sender
}

/** Posts to a receiver that writes this text, optionally repeated, and leaves the connection open. */
async function postTo(written: string, { isEndless = false, sender = hasty } = {}) {
  const server = net.createServer((socket) => {
    const write = () => socket.write(written, () => isEndless && setTimeout(write, 1))
    socket.on('error', () => {}).once('data', write)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const outcome = await sender.post({ url, id: 'evt', body: '{}', secrets: [Buffer.alloc(32)] })
  server.close()
  return outcome
}

const closed = { status: null, error: 'the connection failed' }
const late = { status: null, error: 'no response in time' }

test.each([
  ['switches to another protocol', 'HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', closed],
  ['is no HTTP', 'hello\r\n\r\n', { status: null, error: 'the connection failed (HPE_INVALID_CONSTANT)' }],
  ['never comes', '', late],
  ['has headers without an end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(99_999)}`, { status: null }],
  [
    'leads elsewhere',
    'HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
    { status: 302 },
  ],
  ['breaks off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n', { status: 200, error: null }],
  ['comes slowly', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na', { status: 200, error: null }],
])('an attempt ends in time if the response %s', { tags: 'slow' }, async (_, written, result) => {
  expect(await postTo(written)).toMatchObject(result)
})

test('an attempt ends in time if the response never ends', { tags: 'slow' }, async () => {
  const isEndless = true
  expect(await postTo('HTTP/1.1 103 Early Hints\r\n\r\n', { isEndless })).toMatchObject(late)
  const body = 'a'.repeat(2 * limits.responseBytes)
  const endless = await postTo(`HTTP/1.1 200 OK\r\n\r\n${body}`, { isEndless, sender: patient })
  expect([endless.status, endless.body.length]).toEqual([200, limits.responseBytes])
})

/** A server that keeps its connections open. */
async function stayingServer(server: net.Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return () => patient.post({ url, id: 'evt', body: '{}', secrets: [Buffer.alloc(32)] })
}

test('a request does not wait for idle connections of other receivers, however many there are', async () => {
  let open = 0
  for (let receivers = 0; receivers < 70; receivers += 1) {
    const server = http
      .createServer((_, response) => response.end())
      .on('connection', (socket) => {
        open += 1
        socket.once('close', () => {
          open -= 1
        })
      })
    const post = await stayingServer(server)
    expect(await post()).toMatchObject({ status: 200 })
  }
  await expect.poll(() => open).toBeLessThanOrEqual(65)
})

test('if the receiver closes a reused connection, the event is sent on a new one without a failure', async () => {
  let requests = 0
  const server = net.createServer((socket) => {
    let answered = 0
    socket
      .on('error', () => {})
      .on('data', () => {
        requests += 1
        answered += 1
        if (answered > 1) return void socket.destroy()
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      })
  })
  const post = await stayingServer(server)
  for (const _ of [1, 2]) expect(await post()).toMatchObject({ status: 200, error: null })
  expect(requests).toBeGreaterThanOrEqual(3)
})
