import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  sharedTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const ndjson = { 'content-type': 'application/x-ndjson' }

function post(path: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<TestResponse> {
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  return shop.call(path, { method: 'POST', body, headers: { ...packed, ...headers } })
}

const lines = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => `{"sku":"${prefix}-${n}","name":"${'n'.repeat(200)}"}\n`).join('')

describe('a body in gzip', () => {
  test.each(['gzip', 'GZIP', 'x-gzip'])('is unpacked: Content-Encoding: %s', async (encoding) => {
    const body = gzipSync(JSON.stringify({ sku: encoding, name: 'Packed' }))
    const { status, body: product } = await post('/v2/products', body, { 'content-encoding': encoding })
    expect([status, product.sku]).toEqual([201, encoding])
  })

  test('is the same request as the plain one', async () => {
    const text = '{"sku":"SAME","name":"Same"}'
    const key = { 'idempotency-key': 'packed-or-not' }
    expect((await post('/v2/products', gzipSync(text), key)).status).toBe(201)
    const plain = await shop.call('/v2/products', { method: 'POST', body: text, headers: key })
    expect(plain.status).toBe(201)
  })

  test('may be a push of many lines', { tags: 'slow' }, async () => {
    const text = lines(6_000, 'P')
    expect(text.length).toBeGreaterThan(1024 * 1024)
    const { status, body } = await post('/v2/products/bulk?dry_run=true', gzipSync(text), ndjson)
    expect([status, body.summary.lines, body.summary.rejected]).toEqual([200, 6_000, 0])
  })

  test('fault 9: is limited by its decompressed size, in constant memory', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '), { level: 1 })
    const before = process.memoryUsage.rss()
    const responses = await Promise.all(Array.from({ length: 10 }, () => post('/v2/products', bomb)))
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024)
    responses.push(await post('/v2/products/bulk', bomb, ndjson))
    for (const { status, body } of responses) expect([status, body.code]).toEqual([413, 'body_too_large'])
  })

  const good = gzipSync('{"sku":"BAD","name":"Bad"}\n')
  test.each([
    ['no gzip', Buffer.from('{"sku":"BAD","name":"Bad"}')],
    ['cut off', good.subarray(0, -10)],
    ['followed by something else', Buffer.concat([good, Buffer.from('{"sku":"BAD","name":"Bad"}\n')])],
    ['damaged', Buffer.concat([good.subarray(0, -5), Buffer.from([0]), good.subarray(-4)])],
  ])('that is %s is refused: 400', async (_name, body) => {
    expect((await post('/v2/products', body)).status).toBe(400)
    expect((await post('/v2/products/bulk', body, ndjson)).status).toBe(400)
    expect((await shop.call('/v2/products/by-sku/BAD')).status).toBe(404)
  })

  test('whose client disconnects writes nothing and blocks no other client', async () => {
    const { hostname, port } = new URL(service.url)
    const body = gzipSync(lines(100, 'GONE'))
    for (const path of ['/v2/products/bulk', '/v2/products']) {
      const socket = connect(Number(port), hostname)
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n`
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
      socket.end(body.subarray(0, -20))
      expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1.1 400 /)
    }
    expect((await shop.call('/v2/products/by-sku/GONE-0')).status).toBe(404)
  })
})

test.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'nonsense'])(
  'a body in another encoding (%s) is rejected, and the response names the supported one: 415',
  async (encoding) => {
    for (const path of ['/v2/products', '/v2/products/bulk']) {
      const { status, headers } = await post(path, gzipSync('{}'), { 'content-encoding': encoding })
      expect([status, headers.get('accept-encoding')]).toEqual([415, 'gzip'])
    }
  },
)

describe('a gzip body that is not read', () => {
  test.each([
    ['/console/auth/sign-in/email', 'text/plain', '/readyz'],
    ['/v2/products', 'text/plain', '/v2/products/export'],
    ['/v2/products', 'application/json', '/v2/products/export'],
  ])(
    'and is invalid, after a request whose response is still being sent, ends nothing: POST %s as %s',
    async (path, type, first) => {
      const { hostname, port, host } = new URL(service.url)
      const head = `Host: ${host}\r\nAuthorization: Bearer ${shop.token}\r\n`
      for (let time = 0; time < 5; time += 1) {
        const socket = connect(Number(port), hostname).on('error', () => {})
        socket.pause()
        socket.write(`GET ${first} HTTP/1.1\r\n${head}\r\n`)
        socket.write(
          `POST ${path} HTTP/1.1\r\n${head}Origin: ${service.url}\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n${'A'.repeat(1000)}`,
        )
        // It has been read by then: the service responds to others.
        expect((await shop.call('/v2/products')).status).toBe(200)
        socket.resume()
        expect((await shop.call('/v2/products')).status).toBe(200)
        socket.destroy()
      }
    },
  )
})
