import { type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  for (let number = 0; number < 15; number += 1)
    await shop.call('/api/products', { method: 'POST', body: { sku: `S-${number}`, name: `Lamp ${number}` } })
})

type Raw = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }

/** As it comes over the wire: fetch would undo the compression and hide it. */
function ask(path: string, encodings: string | undefined, method = 'GET', tag = ''): Promise<Raw> {
  const headers = {
    'if-none-match': tag,
    authorization: `Bearer ${shop.token}`,
    ...(encodings !== undefined && { 'accept-encoding': encodings }),
  }
  return new Promise((resolve, reject) => {
    const asking = request(service.url + path, { method, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode, headers: response.headers, bytes })
    })
    asking.on('error', reject).end()
  })
}

const list = '/v2/products'

describe('a large response', () => {
  test.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s for a client that asks for it', async (encoding, open) => {
    const plain = await ask(list, undefined)
    const { headers, bytes } = await ask(list, encoding)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toBe('accept-encoding')
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(open(bytes)).toEqual(plain.bytes)
  })

  test.each([undefined, 'identity', 'gzip;q=0', 'compress', 'br;q=x, nonsense;;'])(
    'is plain for a client that sends Accept-Encoding: %s',
    async (encodings) => {
      const { status, headers, bytes } = await ask(list, encodings)
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, undefined, 'accept-encoding'])
      expect(JSON.parse(bytes.toString()).count).toBe(15)
    },
  )

  test.each([undefined, 'gzip', 'zstd'])(
    'has the same headers when HEAD asks, with Accept-Encoding: %s',
    async (encodings) => {
      const get = await ask(list, encodings)
      const head = await ask(list, encodings, 'HEAD')
      const comparable = ({ headers }: Raw) => ({
        encoding: headers['content-encoding'],
        length: headers['content-length'],
        vary: headers.vary,
      })
      expect(head.bytes).toHaveLength(0)
      expect(comparable(head)).toEqual(comparable(get))
      expect(get.headers['content-length']).toBe(String(get.bytes.length))
    },
  )
})

describe('what is not compressed', () => {
  test.each(['GET', 'HEAD'])('304 for a client that already has the response: %s', async (method) => {
    const { headers: first } = await ask(list, 'gzip')
    const { status, headers, bytes } = await ask(list, 'gzip', method, first.etag)
    expect([status, bytes.length]).toEqual([304, 0])
    expect([headers.etag, headers.vary]).toEqual([first.etag, 'accept-encoding'])
    expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, undefined])
  })

  test('a response under 1 KiB', async () => {
    const { headers } = await ask('/v2/project', 'gzip')
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding'])
  })

  test('an error, which stays a problem that any client can read', async () => {
    const { status, headers, bytes } = await ask('/v2/products?bogus=1', 'gzip')
    expect([status, headers['content-encoding']]).toEqual([400, undefined])
    expect(JSON.parse(bytes.toString()).code).toBe('invalid_parameters')
  })
})

test('a large error response is compressed like any other', async () => {
  const query = Array.from({ length: 40 }, (_, number) => `bogus${number}=1`).join('&')
  const { status, headers, bytes } = await ask(`/v2/products?${query}`, 'gzip')
  expect([status, headers['content-encoding']]).toEqual([400, 'gzip'])
  expect(headers['content-type']).toContain('application/problem+json')
  expect(JSON.parse(gunzipSync(bytes).toString()).errors).toHaveLength(40)
})

test('the script of the reference is sent compressed and complete', async () => {
  const page = await ask('/docs/', undefined)
  const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(page.bytes.toString()) ?? []
  const address = new URL(script, `${service.url}/docs/`).pathname
  const plain = await ask(address, undefined)
  const packed = await ask(address, 'gzip')
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
})
