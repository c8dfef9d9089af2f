import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, startTestService, type TestService } from '../../../test/harness.ts'

const origin = 'https://shop.example'
let closed: TestService
let open: TestService
beforeAll(async () => {
  closed = await sharedTestService()
  open = await startTestService({ corsOrigins: [origin, 'http://localhost:5173'] })
})

const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control'))
const preflight = (from: string) => ({
  method: 'OPTIONS',
  headers: {
    origin: from,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,if-match',
  },
})

describe('without --cors-origin', () => {
  test('there is no CORS header, and OPTIONS is 405 as ever', async () => {
    const response = await closed.call('/v2/products', { headers: { origin } })
    expect([corsHeaders(response.headers), response.headers.get('vary')]).toEqual([[], 'accept-encoding'])
    const options = await closed.call('/v2/products', preflight(origin))
    expect([options.status, corsHeaders(options.headers)]).toEqual([405, []])
  })
})

describe('a page of a named origin', () => {
  test('may ask first: 204, with methods and headers, without a token', async () => {
    const { status, text, headers } = await open.call('/v2/products/1', preflight(origin))
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(
      /if-match.*traceparent, tracestate/,
    )
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')).toContain('origin')
  })

  test.each(['/v2/products', '/v2/nothing', '/healthz'])(
    'reads the response and its headers, errors too: %s',
    async (path) => {
      const { headers } = await open.call(path, { headers: { origin: 'http://localhost:5173' } })
      expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['Catalog-Cursor', 'Catalog-Version', 'ETag', 'Retry-After', 'Traceparent']),
      )
    },
  )
})

describe('a page of another origin', () => {
  test.each(['https://shop.example.evil.example', 'http://shop.example', 'https://SHOP.example', 'null', ''])(
    '%s gets no CORS header, but the response varies by origin',
    async (from) => {
      const { headers } = await open.call('/healthz', { headers: { origin: from } })
      expect([corsHeaders(headers), headers.get('vary')]).toEqual([[], 'accept-encoding, origin'])
      expect((await open.call('/v2/products', preflight(from))).status).toBe(405)
    },
  )
})

test('OPTIONS that asks for nothing is 405, with Allow', async () => {
  const { status, headers } = await open.call('/v2/products', { method: 'OPTIONS', headers: { origin } })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
})
