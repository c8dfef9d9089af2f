import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  sharedTestService,
  startTestService,
  type Tenant,
  type TestService,
} from '../../../../test/harness.ts'
import { memoryBudget } from '../limits/memory-budget.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const mebibyte = 1024 * 1024
type Heard = {
  status: number | undefined
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
  milliseconds: number
}

/** Sends the pieces one after the other, as a client does that does not know the length beforehand. */
async function send(
  pieces: Iterable<string | Buffer>,
  { pauseMilliseconds = 0, to = service }: { pauseMilliseconds?: number; to?: TestService } = {},
  { token }: Tenant = shop,
): Promise<Heard> {
  const started = performance.now()
  const sent = httpRequest(`${to.url}/v2/products/bulk`, {
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
    if (pauseMilliseconds > 0)
      await Promise.race([sleep(pauseMilliseconds, undefined, { ref: false }), answered])
  }
  sent.end()
  const [response] = await answered
  const text = (await response.toArray()).join('')
  const { statusCode: status, headers } = response
  return { status, headers, body: JSON.parse(text), milliseconds: performance.now() - started }
}

async function count(): Promise<number> {
  return (await shop.call('/v2/products?page_size=1')).body.count
}

describe('fault 9: a push over its limits', () => {
  test('of 10,001 lines returns 413, explains how to split it, and writes nothing', async () => {
    const lines = ['{"sku":"L-0","name":"Line"}', ...Array(10_000).fill('1')]
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
    const most = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: `${lines.slice(1).join('\n')}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([most.status, most.body.summary.rejected]).toEqual([200, 10_000])
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

describe('fault 9: a client that disconnects in the middle of its push', () => {
  test('blocks no other client and writes nothing', async () => {
    const head = `POST /v2/products/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\nContent-Type: application/x-ndjson\r\n`
    const announced = `${head}Content-Length: ${64 * mebibyte}\r\n\r\n`
    const part = Buffer.from(`{"sku":"GONE","name":"Gone"}\n${`${' '.repeat(999)}\n`.repeat(4_000)}`)
    const heard = await Promise.all([
      hangUp([announced]),
      hangUp([announced, part]),
      hangUp([announced, part]),
      hangUp([`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"sku`]),
      hangUp([`${head}Transfer-Encoding: chunked\r\n\r\nnonsense`]),
    ])
    expect(heard.map((text) => text.slice(0, 12))).toEqual(Array(5).fill('HTTP/1.1 400'))
    expect((await send(large, {}, await service.tenant())).status).toBe(200)
    expect((await send(large)).status).toBe(200)
    expect((await shop.call('/v2/products/by-sku/GONE')).status).toBe(404)
  })
})

/** Begins a push without a length, and leaves it open once so much of it is sent. */
async function begin(pieces: string[], { token }: Tenant, { url } = service) {
  const sent = httpRequest(`${url}/v2/products/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  }).on('error', () => {})
  onTestFinished(() => void sent.destroy())
  const answered = once(sent, 'response').then(async ([response]) => {
    const text = (await response.toArray()).join('')
    return {
      status: response.statusCode,
      retryAfter: response.headers['retry-after'],
      code: JSON.parse(text).code,
    }
  })
  for (const piece of pieces) await new Promise((resolve) => sent.write(piece, resolve))
  return { sent, answered }
}

describe('fault 8: pushes that arrive slowly', () => {
  test('hold what they sent and no more: pushes of the same and of other projects go past them', async () => {
    const [slow, slower, other] = [await service.tenant(), await service.tenant(), await service.tenant()]
    const open = [await begin(large, slow), await begin(large, slower)]
    const heard = await Promise.all([
      send(large, {}, other),
      send(large, {}, slow),
      send(['{"sku":"SMALL","name":"Small"}'], {}, slow),
    ])
    expect(heard.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { sent } of open) sent.end()
    for (const { answered } of open) expect((await answered).status).toBe(200)
  })

  test('and fill the memory: one of them completes, and the others get 503', async () => {
    const usual = memoryBudget()
    const rest = { total: mebibyte, perProject: mebibyte }
    const memory = { ...usual, bodies: { ...usual.bodies, rest, maxWaitSeconds: 1 } }
    const narrow = await startTestService({}, undefined, { memory })
    const [one, two] = [await narrow.tenant(), await narrow.tenant()]
    // More than the system buffers, so that the service has read its part of it.
    const first = await begin([...large, ...large, ...large, ...large], one, narrow)
    const second = await begin(large, two, narrow)
    expect(await second.answered).toEqual({ status: 503, retryAfter: '5', code: 'too_busy' })
    first.sent.write('{"sku":"LAST","name":"Last"}\n')
    first.sent.end()
    expect((await first.answered).status).toBe(200)
    expect((await one.call('/v2/products?sku=LAST')).body.count).toBe(1)
    const third = await begin(large, two, narrow)
    third.sent.end()
    expect((await third.answered).status).toBe(200)
  })
})

describe('fault 8: the time of a push', () => {
  let hasty: TestService
  beforeAll(async () => {
    hasty = await startTestService({}, undefined, {
      headersMilliseconds: 1_000,
      requestMilliseconds: 1_000,
      checkMilliseconds: 20,
      pushGraceMilliseconds: 500,
    })
  })

  test('is not limited to that of a request, while it arrives steadily', async () => {
    const piece = `{"sku":"STEADY","name":"Steady"}${' '.repeat(100_000)}\n`
    const { status, body, milliseconds } = await send(Array(20).fill(piece), {
      pauseMilliseconds: 100,
      to: hasty,
    })
    expect(milliseconds).toBeGreaterThan(1_900)
    expect([status, body.summary.lines]).toEqual([200, 20])
  })

  test.each([
    ['trickles', 20],
    ['stalls', 60_000],
  ])('ends for a body that %s', async (_name, pauseMilliseconds) => {
    const { status, body } = await send(Array(3_000).fill(' '), { pauseMilliseconds, to: hasty })
    expect([status, body.code]).toEqual([408, 'request_timeout'])
    expect((await shop.call('/v2/products')).status).toBe(200)
  })
})
