import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { webhookSender } from '../../delivery/webhooks/webhook-sender.ts'
import { openLog } from '../http/request-log.ts'
import { checkAddress, dialRules } from './check-address.ts'
import { guardedAgents, refusesLoopback } from './guarded-agents.ts'

const log = openLog('silent')
const rules = dialRules([])

/** Refused when a webhook is made. */
const shown = [
  ...['http://receiver.example/', 'http://127.0.0.1/', 'ftp://receiver.example/', 'file:///etc/passwd'],
  ...['//receiver.example/', 'receiver.example', 'https:receiver.example', 'https://', 'javascript:1'],
  ...['https://user@receiver.example/', 'https://user:word@receiver.example/', 'https://@receiver.example/'],
  ...[
    'https://receiver.example@127.0.0.1/',
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/',
    'https://127.1/',
  ],
  ...[
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
  ],
  ...['https://０x7f.1/', 'https://127。0。0。1/', 'https://0.0.0.0/', 'https://0/', 'https://localhost/'],
  ...['https://LOCALHOST:1/', 'https://localhost./', 'https://inner.localhost/', 'https://10.1.2.3/'],
  ...['https://172.31.255.255/', 'https://192.168.0.1/', 'https://169.254.169.254/latest/meta-data/'],
  ...['https://100.64.0.1/', 'https://192.0.2.1/', 'https://198.18.0.1/', 'https://224.0.0.1/'],
  ...['https://255.255.255.255/', 'https://[::1]/', 'https://[::]/', 'https://[0:0:0:0:0:0:0:1]:443/'],
  ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:a01:203]/', 'https://[::127.0.0.1]/'],
  ...[
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001::1]/',
  ],
  ...['https://[2001:db8::1]/', 'https://[fc00::1]/', 'https://[fd00:ec2::254]/', 'https://[fe80::1]/'],
  ...['https://[fec0::1]/', 'https://[ff02::1]/', 'https://[100::1]/', 'https://[::ffff:0:127.0.0.1]/'],
]

test.each(shown)('%s is rejected when a webhook is created', (address) => {
  expect(() => checkAddress(address, rules)).toThrow()
})

test.each([
  ['https://receiver.example', 'https://receiver.example/'],
  ['https://receiver.example:8443/a?b=c#d', 'https://receiver.example:8443/a?b=c'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:808:808]/'],
  ['https://[2606:4700::1]/', 'https://[2606:4700::1]/'],
])('%s is accepted', (address, kept) => {
  expect(checkAddress(address, rules)).toBe(kept)
})

test('the operator can allow networks, completely or partly, and plain http only in them', () => {
  const some = dialRules(['10.1.0.0/16', 'fd00:1::/64'])
  expect(checkAddress('http://10.1.2.3/', some)).toBe('http://10.1.2.3/')
  expect(checkAddress('https://[fd00:1::5]/', some)).toBe('https://[fd00:1::5]/')
  expect(checkAddress('http://[::ffff:10.1.2.3]/', some)).toBe('http://[::ffff:a01:203]/')
  for (const address of [
    'http://10.2.0.1/',
    'https://10.0.255.255/',
    'http://8.8.8.8/',
    'https://[fd00:1:0:1::]/',
  ])
    expect(() => checkAddress(address, some), address).toThrow()
})

describe('when the service connects', () => {
  let port: number
  let calls = 0
  beforeAll(async () => {
    const server: Server = createServer((_request, response) => {
      calls += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    server.on('connection', () => {
      calls += 1
    })
    whenFileEnds(() => server.close())
  })

  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0', '[::]', '127.0.0.2'])(
    '%s is refused, whatever was known of it before',
    async (host) => {
      const sender = webhookSender(log, ['10.0.0.0/8'])
      for (const protocol of ['https', 'http']) {
        const url = `${protocol}://${host}:${port}/`
        const outcome = await sender.post({ url, id: 'evt_1', body: '{}', secrets: [] })
        expect(outcome, url).toMatchObject({
          status: null,
          error: expect.stringMatching(/points to a private network.*--webhook-allow/),
        })
      }
      sender.close()
      expect(calls).toBe(0)
    },
  )

  test('plain http is rejected unless the operator allows the network', async () => {
    const sender = webhookSender(log)
    const url = `http://127.0.0.1:${port}/`
    expect((await sender.post({ url, id: 'evt_1', body: '{}', secrets: [] })).status).toBe(null)
    expect(calls).toBe(0)
  })
})

test('the self-test at the start passes, and fails if the agents would connect to this machine', async () => {
  expect(await webhookSender(log).isSafe()).toBe(true)
  expect(await refusesLoopback(dialRules(['127.0.0.0/8']))).toBe(false)
  expect(guardedAgents(rules).http).toBe(undefined)
})
