import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { rawRequest } from '../../../test/requests/raw-request.ts'
import { registeredRoutes } from '../../../test/requests/registered-routes.ts'
import { generateToken } from '../../access/tokens/token-format.ts'
import { problems } from './problem-catalog.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

describe('fault 10: a route that does not exist', () => {
  test.each([
    '/api',
    '/v2/',
    '/api/nothing',
    '/API/products',
    '/v1/products',
    '/api//products',
    '/api/products/1/2',
    '/etc/passwd',
    '/api/../healthz/x',
  ])('%s: 404', async (path) => {
    const { status, body } = await service.call(path)
    expect([status, body.code]).toEqual([404, 'unknown_route'])
  })

  test.each(['/api/products/%E0%A4%A', '/api/%', '/%ff'])(
    '%s is no address: 4xx with a problem body',
    async (path) => {
      const answer = await rawRequest(
        service.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /)
      expect(answer).toContain('application/problem+json')
      expect(answer).toMatch(/x-request-id: /i)
    },
  )
})

describe('fault 11: a method that a route does not support', () => {
  test.each([
    ['DELETE', '/api/products', 'GET, HEAD, POST'],
    ['DELETE', '/v2/products/1', 'GET, HEAD, PATCH, PUT'],
    ['POST', '/api/products/1', 'GET, HEAD, PATCH, PUT'],
    ['OPTIONS', '/api/products', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/products', 'GET, HEAD, POST'],
    ['DELETE', '/api/products/', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s: 405, with Allow: %s', async (method, path, allow) => {
    const { status, body, headers } = await shop.call(path, { method })
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow])
  })

  test('DELETE of a product explains the alternative', async () => {
    const { body } = await shop.call('/api/products/1', { method: 'DELETE' })
    expect(body.detail).toContain('Archive one with PATCH {"status": "archived"}')
  })

  test('is not smuggled in by an override', async () => {
    const { status } = await shop.call('/api/products', { headers: { 'x-http-method-override': 'POST' } })
    expect(status).toBe(200)
  })

  test('errors that occur before a route runs, or for an unexpected body, are documented', async () => {
    const text = { method: 'DELETE', body: 'a', headers: { 'content-type': 'text/plain' } }
    expect((await shop.call('/api/quality-rules', text)).status).toBe(415)
    const { body } = await service.call('/openapi.json')
    for (const path of Object.values<object>(body.paths))
      for (const [method, { responses }] of Object.entries<{ responses: object }>(path as never))
        if (method !== 'servers') expect(Object.keys(responses)).toContain('417')
  })

  test('HEAD returns the same as GET, without the body', async () => {
    const get = await shop.call('/api/products')
    const head = await shop.call('/api/products', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    const file = await shop.call('/api/products/export', { method: 'HEAD' })
    expect([file.status, file.headers.get('etag'), file.headers.get('content-length')]).toEqual([
      200,
      null,
      null,
    ])
  })
})

describe("fault 10: what Node's parser rejects gets a problem response", () => {
  test.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    [
      'length and chunks',
      'POST /api/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['20 KB of address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['no Host', 'GET /api/products HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a Host that is none', 'GET /api/products HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n', 400],
    ['a version that is none of ours', 'GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n', 505],
    ['an address without a path', 'GET * HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    [
      'chunks in HTTP/1.0',
      'POST /api/products HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'an expectation',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      417,
    ],
  ])('%s', async (_name, text, status) => {
    const answer = await rawRequest(service.url, text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/content-type: application\/problem\+json\r\n/i)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(body).toMatchObject({ status, request_id: expect.any(String) })
  })
})

describe('a client that asks before it sends its body', () => {
  const head = (token: string) =>
    `POST /v2/categories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`

  test('gets 100 Continue when it is authenticated', async () => {
    const body = '{"name":"Asked first"}'
    const request = `${head(shop.token)}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    expect(await rawRequest(service.url, request)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
  })

  test('is rejected at once with a wrong token, and the connection is closed', async () => {
    const answer = await rawRequest(service.url, `${head(generateToken())}Content-Length: 20\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
    expect(answer).toMatch(/connection: close\r\n/i)
  })

  test('gets a response when it sends garbage instead of its body', async () => {
    const request = `${head(shop.token)}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`
    expect(await rawRequest(service.url, request)).toMatch(/^(HTTP\/1.1 100 Continue\r\n\r\n)?HTTP\/1.1 400 /)
  })
})

test('fault 14: raw bytes in a query are rejected: 400', async () => {
  const head = `Host: localhost\r\nAuthorization: Bearer ${shop.token}\r\nConnection: close`
  const answer = await rawRequest(service.url, `GET /api/products?sku=\xff HTTP/1.1\r\n${head}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
})

describe('what is hostile', () => {
  const head = (token: string) => `Authorization: Bearer ${token}\r\nConnection: close`

  test('a body for an address that takes none is not even read', async () => {
    const answers = [
      await shop.call('/v2/products', { method: 'PUT', body: '{' }),
      await service.call('/nope', { method: 'POST', body: '{' }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [405, 'method_not_allowed'],
      [404, 'unknown_route'],
    ])
  })

  test.each([
    ['in a long member', 422, `{"${'k'.repeat(500_000)}":[${Array(900).fill('-0').join()}]}`],
    ['in a list', 422, `[${Array(300_000).fill('-0').join()}]`],
    ['in objects', 400, `{"sku":"x","name":"x","categories":[${Array(300_000).fill('{}').join()}]}`],
    ['in fields', 422, `{${Array.from({ length: 900 }, (_, index) => `"field${index}":1`).join()}}`],
  ])('thousands of errors %s get a short response with little work', async (_name, status, body) => {
    const begun = process.threadCpuUsage()
    const answer = await shop.call('/v2/products', { method: 'POST', body })
    // CPU time, so that other programs do not count. Work per pair of errors would take minutes.
    const { user, system } = process.threadCpuUsage(begun)
    expect([answer.status, answer.text.length < 100_000]).toEqual([status, true])
    expect((user + system) / 1_000_000).toBeLessThan(3)
  })

  test('an absolute address does not shape the links', async () => {
    const request = `GET http://evil.example/v2/categories?page_size=1 HTTP/1.1\r\nHost: localhost:9\r\n${head(shop.token)}\r\n\r\n`
    await shop.call('/v2/categories', { method: 'POST', body: { name: 'One' } })
    await shop.call('/v2/categories', { method: 'POST', body: { name: 'Two' } })
    const answer = await rawRequest(service.url, request)
    expect(answer).toContain('"next":"http://localhost:9/v2/categories?page=2&page_size=1"')
  })

  test.each(['Host: localhost\r\nHost: b', 'Host: a..b', 'Host: a:99999', 'Host: a/b'])(
    '%j is refused: 400',
    async (host) => {
      const answer = await rawRequest(
        service.url,
        `GET /v2/project HTTP/1.1\r\n${host}\r\n${head(shop.token)}\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
    },
  )

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.0.2.1:80',
    '128.0.0.1',
  ])('Host: %s is none of ours without a base address: 421', async (host) => {
    const request = `GET /v2/project HTTP/1.1\r\nHost: ${host}\r\n${head(shop.token)}\r\n\r\n`
    const answer = await rawRequest(service.url, request)
    expect(answer).toMatch(/^HTTP\/1.1 421 /)
    expect(answer).toContain('"code":"unknown_host"')
  })

  test.each(['localhost', 'LOCALHOST:81', 'shop.localhost', '127.9.9.9:1', '[::1]:443', 'localhost.'])(
    'Host: %s is this machine',
    async (host) => {
      const request = `GET /v2/project HTTP/1.1\r\nHost: ${host}\r\n${head(shop.token)}\r\n\r\n`
      expect(await rawRequest(service.url, request)).toMatch(/^HTTP\/1.1 200 /)
    },
  )

  test('garbage after a request does not suppress its response', async () => {
    const body = '{"name":"Piped"}'
    const request = `POST /v2/categories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const answer = await rawRequest(service.url, `${request}\r\nGARBAGE\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 201 /)
  })

  test('CONNECT returns 405', async () => {
    expect(await rawRequest(service.url, 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 /,
    )
  })

  test.each([{ 'content-encoding': 'br' }, { 'content-type': 'application/json; charset=utf-16' }])(
    'a body with %j is refused: 415',
    async (headers) => {
      const { status } = await shop.call('/v2/categories', {
        method: 'POST',
        body: { name: 'Encoded' },
        headers,
      })
      expect(status).toBe(415)
    },
  )

  test('a token as the name of a parameter or a field is not repeated', async () => {
    for (const answer of [
      await shop.call(`/v2/products?${shop.token}=1`),
      await shop.call('/v2/products', { method: 'POST', body: { [shop.token]: 1 } }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.text).not.toContain(shop.token)
    }
  })
})

describe('the request id', () => {
  test('is on every response, and a valid ID from the client is used', async () => {
    expect((await service.call('/healthz')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const kept = await service.call('/healthz', { headers: { 'x-request-id': 'trace-0123456789' } })
    expect(kept.headers.get('x-request-id')).toBe('trace-0123456789')
    const replaced = await service.call('/healthz', { headers: { 'x-request-id': '<script>' } })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('around the API', () => {
  test('healthz and readyz return 200', async () => {
    expect((await service.call('/healthz')).body).toEqual({ status: 'ok' })
    expect((await service.call('/readyz')).body).toEqual({ status: 'ready' })
  })

  test.each(['/openapi.json', '/metrics', '/errors/not_found'])(
    '%s refuses a parameter that it does not know: 400',
    async (path) => {
      const { status, body } = await service.call(`${path}?bogus=1`)
      expect([status, body.code]).toEqual([400, 'invalid_parameters'])
    },
  )

  test('healthz and readyz live with a parameter that a load balancer adds', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await service.call(`${path}?t=${Date.now()}`)).status).toBe(200)
  })

  test('every operation documents too large headers, and every path with a name documents invalid names', async () => {
    const { body } = await service.call('/openapi.json')
    for (const [path, { servers, ...item }] of Object.entries<{ servers?: object }>(body.paths))
      for (const { responses } of Object.values<{ responses: object }>(item)) {
        expect(responses).toHaveProperty('431')
        if (path.includes('{')) expect(responses).toHaveProperty('404')
      }
    for (const method of ['GET', 'PUT'])
      expect((await shop.call('/v2/products/by-sku/%00', { method, body: undefined })).status).toBe(404)
  })

  test('openapi.json is a 3.1 document of every API route, once', async () => {
    const { body } = await service.call('/openapi.json')
    expect(body.openapi).toMatch(/^3\.1/)
    const documented = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => ['get', 'put', 'post', 'patch', 'delete'].includes(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    const { routes } = await registeredRoutes()
    const ofApi = routes
      // Agents learn their endpoint from its own protocol.
      .filter(({ method, url }) => url.startsWith('/v2/') && method !== 'HEAD' && url !== '/v2/mcp')
      .map(({ method, url }) => `${method} ${url.slice('/v2'.length).replace(/:(\w+)/g, '{$1}')}`)
    expect(ofApi.length).toBeGreaterThan(25)
    expect(documented.sort()).toEqual([...ofApi, 'GET /healthz', 'GET /metrics', 'GET /readyz'].sort())
    expect(body.paths['/products'].get.parameters.map(({ name }: { name: string }) => name)).toContain(
      'status',
    )
    expect(body.paths['/products'].get.security).toEqual([{ token: ['products:read'] }])
    expect(body.paths['/project'].get.security).toEqual([{ token: [] }])
    expect(body.paths['/products'].post.security).toEqual([{ token: ['products:write'] }])
    expect(body.components.schemas).toHaveProperty('ProductDetail')
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual(['/v2', '/api'])
  })

  test('docs is a page that loads its script from this server alone', async () => {
    const { status, text } = await service.call('/docs')
    expect(status).toBe(200)
    const sources = [...text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, source]) => source as string)
    expect(sources.length).toBeGreaterThan(0)
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//)
      expect((await fetch(new URL(source, `${service.url}/docs/`))).status).toBe(200)
    }
  })

  test.each(Object.keys(problems))('the type of the error %s can be looked up', async (code) => {
    const { status, text } = await service.call(`/errors/${code}`)
    expect(status).toBe(200)
    expect(text).toContain(code)
  })
})
