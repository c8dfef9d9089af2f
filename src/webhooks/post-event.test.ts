import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { whenFileEnds } from '../../test/file-end.ts'
import { openLog } from '../http/request-log.ts'
import { webhookLimits } from './webhook-limits.ts'
import { webhookSender } from './webhook-sender.ts'

const limits = { ...webhookLimits, timeout: 200 }
const sender = webhookSender(openLog('silent'), ['127.0.0.0/8'], limits)
whenFileEnds(() => sender.close())

/** Posts to a receiver that writes this, again and again where told so, and leaves the connection open. */
async function postTo(written: string, isEndless = false) {
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
const late = { status: null, error: 'no answer in time' }

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
])('a try ends in time where the answer %s', async (_, written, outcome) => {
  expect(await postTo(written)).toMatchObject(outcome)
})

test('a try ends in time where the answer has no end', async () => {
  expect(await postTo('HTTP/1.1 103 Early Hints\r\n\r\n', true)).toMatchObject(late)
  const endless = await postTo(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(2 * limits.answerBytes)}`, true)
  expect([endless.status, endless.answer.length]).toEqual([200, limits.answerBytes])
})
