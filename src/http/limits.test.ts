import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../test/harness.ts'
import { sql } from '../database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({ statementTimeoutSeconds: 1 })
  shop = await service.tenant()
})

describe('a query that takes too long', () => {
  test('is answered with 503 query_timeout and Retry-After, and the next one works', async () => {
    await service.database.transaction(async (tx) => {
      await tx.query(sql`lock table prompts in access exclusive mode`)
      const { status, body, headers } = await shop.call('/v2/prompts')
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'query_timeout', '2'])
    })
    expect((await shop.call('/v2/prompts')).status).toBe(200)
  })
})

/** Sends the head at once and the rest byte by byte; tells what came back and when the server closed. */
function trickle(head: string, bytes: string): Promise<{ seconds: number; answer: string }> {
  const { hostname, port } = new URL(service.url)
  const started = Date.now()
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname, async () => {
      socket.write(head)
      for (const byte of bytes) {
        if (socket.destroyed) return
        socket.write(byte)
        await sleep(500)
      }
    })
    socket
      .on('data', (data) => {
        answer += data
      })
      .on('error', () => {})
      .on('close', () => resolve({ seconds: (Date.now() - started) / 1000, answer }))
  })
}

describe('a slow client', () => {
  test.concurrent('has 10 seconds for its headers', { timeout: 40_000 }, async () => {
    const { seconds, answer } = await trickle('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'x'.repeat(100))
    expect(seconds).toBeGreaterThan(8)
    expect(seconds).toBeLessThan(12)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain('"code":"request_timeout"')
  })

  test.concurrent('has 30 seconds for its request, and does not harm others', {
    timeout: 60_000,
  }, async () => {
    const head = `POST /api/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
    const slow = trickle(head, '{"sku":"'.padEnd(100, 'x'))
    expect((await shop.call('/v2/products')).status).toBe(200)
    const { seconds, answer } = await slow
    expect(seconds).toBeGreaterThan(25)
    expect(seconds).toBeLessThan(31)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
  })
})
