import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService()
  shop = await service.tenant()
})

const mebibyte = 1024 * 1024
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Heard = { status: number | undefined; body: any; seconds: number }

/** Sends the pieces one after the other, as a client does that does not know the length beforehand. */
async function send(pieces: Iterable<string | Buffer>, pauseMilliseconds = 0): Promise<Heard> {
  const started = Date.now()
  const sent = httpRequest(`${service.url}/v2/products/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/x-ndjson' },
  })
  sent.on('error', () => {})
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  let isAnswered = false
  void answered.then(() => {
    isAnswered = true
  })
  for (const piece of pieces) {
    if (isAnswered || sent.destroyed) break
    if (!sent.write(piece)) await Promise.race([once(sent, 'drain'), answered])
    if (pauseMilliseconds > 0) await sleep(pauseMilliseconds)
  }
  sent.end()
  const [response] = await answered
  const text = (await response.toArray()).join('')
  return { status: response.statusCode, body: JSON.parse(text), seconds: (Date.now() - started) / 1000 }
}

async function count(): Promise<number> {
  return (await shop.call('/v2/products?page_size=1')).body.count
}

describe('a push over its limits', () => {
  test('of 10,001 lines is 413, says how to split, and has written nothing', async () => {
    const lines = Array.from({ length: 10_001 }, (_, index) => `{"sku":"L-${index}","name":"Line"}`)
    for (const body of [lines.join('\n'), `[${lines.join(',')}]`]) {
      const type = body.startsWith('[') ? 'application/json' : 'application/x-ndjson'
      const answer = await shop.call('/v2/products/bulk', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
      expect(answer.body.detail).toContain('split -l 10000')
    }
    expect(await count()).toBe(0)
    const most = await shop.call('/v2/products/bulk?dry_run=true', {
      method: 'POST',
      body: `${lines.slice(1).join('\n')}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([most.status, most.body.summary.created]).toEqual([200, 10_000])
  })

  test('of more than 64 MiB is 413 as soon as that is known, announced or not', async () => {
    const piece = Buffer.from(`{"sku":"BIG","name":"Big","description":"${'x'.repeat(90_000)}"}\n`.repeat(12))
    function* endless() {
      for (;;) yield piece
    }
    const heard = await send(endless())
    expect([heard.status, heard.body.code]).toEqual([413, 'body_too_large'])
    expect(heard.body.detail).toContain('split -C 64m')
    const announced = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: Buffer.alloc(65 * mebibyte, 0x20),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([announced.status, announced.body.code]).toEqual([413, 'body_too_large'])
    expect(await count()).toBe(0)
  })

  test('by one line of more than 1 MiB rejects that line alone', async () => {
    const { body } = await send([
      '{"sku":"OK-1","name":"One"}\n',
      Buffer.alloc(mebibyte + 1, 0x7b),
      '\n{"sku":"OK-2","name":"Two"}',
    ])
    expect(body.results).toMatchObject([
      { line: 1, outcome: 'created' },
      { line: 2, outcome: 'rejected', errors: [{ pointer: '', code: 'body_too_large' }] },
      { line: 3, outcome: 'created' },
    ])
  })
})

describe('the time of a push', () => {
  test.concurrent('is not limited to that of a request, while it arrives steadily', {
    timeout: 90_000,
  }, async () => {
    const piece = `{"sku":"STEADY","name":"Steady"}${' '.repeat(100_000)}\n`
    const { status, body, seconds } = await send(Array(66).fill(piece), 500)
    expect(seconds).toBeGreaterThan(31)
    expect([status, body.summary.lines]).toEqual([200, 66])
  })

  test.concurrent('ends for a body that stalls or trickles', { timeout: 90_000 }, async () => {
    const { status, body, seconds } = await send(Array(200).fill(' '), 500)
    expect([status, body.code]).toEqual([408, 'request_timeout'])
    expect(seconds).toBeLessThan(35)
    expect((await shop.call('/v2/products')).status).toBe(200)
  })
})
