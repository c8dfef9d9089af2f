import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../client/webhook.ts'

const [secret, other] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
]
const body = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'product.created', actor: 'Ümit 🙂' }))

function headersOf(signed: Buffer, by = secret, time = new Date()): Record<string, string> {
  return {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('evt_1', time, signed.toString()),
  }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const isGenuine = (...inputs: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(...inputs).then(
    () => true,
    (error) => {
      expect(error).toMatchObject({ name: 'CatalogProblem', status: 400, code: 'invalid_webhook' })
      expect(String(error)).not.toContain(secret)
      return false
    },
  )

describe('verifyWebhook accepts what standardwebhooks signs', () => {
  test('and returns the event', async () => {
    expect(await verifyWebhook(secret, new Headers(headersOf(body)), body)).toMatchObject({
      actor: 'Ümit 🙂',
    })
    expect(await isGenuine([other, secret], headersOf(body), new Uint8Array(body).buffer)).toBe(true)
  })

  test('also with several signatures, during a rotation', async () => {
    const [old, current] = [headersOf(body, other), headersOf(body)]
    const both = `${old['webhook-signature']} v2,abc ${current['webhook-signature']}`
    expect(await isGenuine(secret, { ...current, 'webhook-signature': both }, body)).toBe(true)
  })

  test('within five minutes', async () => {
    for (const [minutes, accepted] of [
      [4.9, true],
      [-4.9, true],
      [5.1, false],
      [-5.1, false],
    ] as const)
      expect(await isGenuine(secret, headersOf(body, secret, minutesAgo(minutes)), body)).toBe(accepted)
  })
})

test.each([
  ['another body', headersOf(Buffer.from('{}'))],
  ['another secret', headersOf(body, other)],
  ['another id', { ...headersOf(body), 'Webhook-Id': 'evt_2' }],
  [
    'a time that was not signed',
    { ...headersOf(body), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) },
  ],
  ['no time', { ...headersOf(body), 'webhook-timestamp': 'x' }],
  ['no signature', { ...headersOf(body), 'webhook-signature': '' }],
  ['a signature that is no Base64', { ...headersOf(body), 'webhook-signature': 'v1,%%%' }],
  ['a short signature', { ...headersOf(body), 'webhook-signature': 'v1,AAAA' }],
])('verifyWebhook rejects %s, like standardwebhooks', async (_what, headers) => {
  expect(await isGenuine(secret, headers, body)).toBe(false)
  expect(() => new Webhook(secret).verify(body.toString(), lowerCased(headers))).toThrow()
})

test('verifyWebhook rejects an empty secret, with which everyone could sign', async () => {
  for (const empty of ['', 'whsec_'])
    expect(await isGenuine([other, empty], headersOf(body), body)).toBe(false)
})

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
