import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../database/sql.ts'
import { timeLimits } from '../limits/times.ts'
import { openLog } from './request-log.ts'
import { createServer } from './server.ts'

let service: TestService
let hasty: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  hasty = await startTestService({ statementTimeoutSeconds: 1 }, undefined, {
    headersMilliseconds: 300,
    requestMilliseconds: 1_000,
    checkMilliseconds: 20,
    responseMilliseconds: 500,
  })
  shop = await service.tenant()
})

describe('fault 4: a query that takes too long', () => {
  test('returns 503 query_timeout and Retry-After, and the next one succeeds', async () => {
    await service.database.transaction(async (tx) => {
      await tx.query(sql`lock table prompts in access exclusive mode`)
      const { status, body, headers } = await hasty.call('/v2/prompts', { token: shop.token })
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'query_timeout', '2'])
    })
    expect((await hasty.call('/v2/prompts', { token: shop.token })).status).toBe(200)
  })
})

/** Sends the head at once and the rest byte by byte, until the server closes; returns the response and its time. */
function trickle(url: string, head: string): Promise<{ milliseconds: number; answer: string }> {
  const { hostname, port } = new URL(url)
  const started = performance.now()
  return new Promise((resolve) => {
    let answer = ''
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      socket.write(head)
      dripping = setInterval(() => socket.write('x'), 20)
    })
    socket
      .on('data', (data) => {
        answer += data
      })
      .on('error', () => {})
      .on('close', () => {
        clearInterval(dripping)
        resolve({ milliseconds: performance.now() - started, answer })
      })
  })
}

describe('fault 8: a slow client', () => {
  test('has 10 seconds for its headers, 30 for its request and for a large response, and a short time to notice a stop', () => {
    const { server } = createServer({}, openLog('silent'), timeLimits)
    const { checkMilliseconds, ...limits } = timeLimits
    expect(checkMilliseconds).toBe(1_000)
    expect([server.headersTimeout, server.requestTimeout]).toEqual([9_000, 28_000])
    expect(limits).toEqual({
      handshakeMilliseconds: 8_000,
      headersMilliseconds: server.headersTimeout,
      requestMilliseconds: server.requestTimeout,
      idleMilliseconds: 40_000,
      keepAliveMilliseconds: 75_000,
      responseMilliseconds: 28_000,
      heartbeatMilliseconds: 15_000,
      pushGraceMilliseconds: 30_000,
      politeMilliseconds: 500,
      drainMilliseconds: 8_000,
    })
  })

  test('gets 408 when its headers take too long', async () => {
    const { milliseconds, answer } = await trickle(
      hasty.url,
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
    )
    expect(milliseconds).toBeGreaterThan(290)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain('"code":"request_timeout"')
  })

  test('gets 408 when its body takes too long, and does not affect others', async () => {
    const head = `POST /api/products HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"sku":"`
    const slow = trickle(hasty.url, head)
    expect((await hasty.call('/v2/project', { token: shop.token })).status).toBe(200)
    const { milliseconds, answer } = await slow
    expect(milliseconds).toBeGreaterThan(990)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
  })

  test('is disconnected if it does not read a large response', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => ({ sku: `LONG-${index}`, name: 'Long' }))
    expect((await shop.call('/v2/products/bulk', { method: 'POST', body: lines })).status).toBe(200)
    await service.database.query(sql`
      update products set description = repeat('x', 100000) where project_id = ${shop.project}`)
    const { hostname, port } = new URL(hasty.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /v2/products/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`,
    )
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1.1 200 /)
    socket.pause()
    // Who does not read hears of the end only when it writes.
    const writing = setInterval(() => socket.write('\r\n'), 20)
    const [error] = await once(
      socket.on('error', () => {}),
      'close',
    ).catch((reason) => [reason])
    clearInterval(writing)
    expect(error).toBeTruthy()
    expect(socket.bytesRead).toBeLessThan(lines.length * 100_000)
  })
})
