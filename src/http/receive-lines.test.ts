import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
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
type Heard = { status: number | undefined; headers: IncomingMessage['headers']; body: any; seconds: number }

/** Sends the pieces one after the other, as a client does that does not know the length beforehand. */
async function send(
  pieces: Iterable<string | Buffer>,
  pauseMilliseconds = 0,
  { token }: Tenant = shop,
): Promise<Heard> {
  const started = Date.now()
  const sent = httpRequest(`${service.url}/v2/products/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
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
  const { statusCode: status, headers } = response
  return { status, headers, body: JSON.parse(text), seconds: (Date.now() - started) / 1000 }
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

const large = [`{"sku":"LARGE","name":"Large"}\n`, ...Array(3).fill(`${' '.repeat(700_000)}\n`)]

/** Sends what it is given and hangs up properly. Resolves with what it heard when the connection is closed. */
async function hangUp(sent: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  for (const piece of sent) socket.write(piece)
  socket.end()
  return (await socket.toArray()).join('')
}

describe('a client that hangs up in the middle of its push', () => {
  test('holds up nobody, and has written nothing', async () => {
    const head = `POST /v2/products/bulk HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\nContent-Type: application/x-ndjson\r\n`
    const announced = `${head}Content-Length: ${64 * mebibyte}\r\n\r\n`
    const part = Buffer.from(`{"sku":"GONE","name":"Gone"}\n${`${' '.repeat(999)}\n`.repeat(4_000)}`)
    const started = Date.now()
    const heard = await Promise.all([
      hangUp([announced]),
      hangUp([announced, part]),
      hangUp([announced, part]),
      hangUp([`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"sku`]),
      hangUp([`${head}Transfer-Encoding: chunked\r\n\r\nnonsense`]),
    ])
    expect(heard.map((text) => text.slice(0, 12))).toEqual(Array(5).fill('HTTP/1.1 400'))
    expect((await send(large, 0, await service.tenant())).status).toBe(200)
    expect((await send(large)).status).toBe(200)
    expect(Date.now() - started).toBeLessThan(5_000)
    expect((await shop.call('/v2/products/by-sku/GONE')).status).toBe(404)
  })
})

describe('the time of a push', () => {
  test.concurrent('is not lost to the slow push of another project, and bounded behind one of its own', {
    timeout: 90_000,
  }, async () => {
    const [slow, other] = [await service.tenant(), await service.tenant()]
    const steady = send([...large, ...Array(50).fill(`${' '.repeat(100_000)}\n`)], 500, slow)
    await sleep(2_000)
    const [own, small, foreign] = await Promise.all([
      send(large, 0, slow),
      send(['{"sku":"SMALL","name":"Small"}'], 0, slow),
      send(large, 0, other),
    ])
    expect([small.status, foreign.status]).toEqual([200, 200])
    expect(Math.max(small.seconds, foreign.seconds)).toBeLessThan(5)
    expect([own.status, own.body.code, own.headers['retry-after']]).toEqual([503, 'too_busy', '5'])
    expect((await steady).status).toBe(200)
  })

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
