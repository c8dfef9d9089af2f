import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { rawRequest } from '../../../../test/requests/raw-request.ts'

let service: TestService
let shop: Tenant
let etag: string
const path = '/v2/products'
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  etag = (await shop.call(path)).headers.get('etag') ?? ''
})

const read = (ifNoneMatch: string, method = 'GET') =>
  shop.call(path, { method, headers: { 'if-none-match': ifNoneMatch } })

test('a read carries a strong ETag, the same for the same bytes, another for others', async () => {
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect((await shop.call(path)).headers.get('etag')).toBe(etag)
  const other = await service.tenant()
  await other.call(path, { method: 'POST', body: { sku: 'A', name: 'A' } })
  expect((await other.call(path)).headers.get('etag')).not.toBe(etag)
})

describe('If-None-Match', () => {
  test.each([
    ['the tag', () => etag],
    ['its weak form', () => `W/${etag}`],
    ['a list with it', () => `"x", "a,b" ,W/"y",${etag}`],
    ['an asterisk', () => ' * '],
  ])('with %s: 304 with the tag and without a body', async (_name, header) => {
    const { status, text, headers } = await read(header())
    expect([status, text, headers.get('etag')]).toEqual([304, '', etag])
    expect(headers.get('content-type')).toBeNull()
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test.each([
    ['another tag', () => '"x"'],
    ['the tag without quotes', () => etag.slice(1, -1)],
    ['a part of the tag', () => `${etag.slice(0, 9)}"`],
    ['a list without it', () => '"x", W/"y", "*"'],
    ['nothing', () => ''],
  ])('with %s: 200 with the body', async (_name, header) => {
    const { status, body } = await read(header())
    expect([status, body.count]).toEqual([200, 0])
  })
})

test('HEAD returns the same ETag, and 304 as well', async () => {
  const head = await shop.call(path, { method: 'HEAD' })
  expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
  const unchanged = await read(etag, 'HEAD')
  expect([unchanged.status, unchanged.text]).toEqual([304, ''])
})

test('a 304 has no body, so that the client reads the next response on the connection correctly', async () => {
  const request = (last: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.token}\r\n${last}\r\n\r\n`
  const answer = await rawRequest(service.url, request('If-None-Match: *') + request('Connection: close'))
  expect(answer).toMatch(/^HTTP\/1\.1 304 [\s\S]*?\r\n\r\nHTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"count":0/)
})

test('an error has no ETag, and neither errors nor writes return 304', async () => {
  const missing = await shop.call('/v2/products/123456789', { headers: { 'if-none-match': '*' } })
  expect([missing.status, missing.headers.get('etag')]).toEqual([404, null])
  const other = await service.tenant()
  const made = await other.call(path, {
    method: 'POST',
    body: { sku: 'A', name: 'A' },
    headers: { 'if-none-match': '*' },
  })
  expect(made.status).toBe(201)
})

test('If-Match on a route that does not check it is rejected, not ignored', async () => {
  const answer = await shop.call('/v2/categories', {
    method: 'POST',
    body: { name: 'Conditional' },
    headers: { 'if-match': '"x"' },
  })
  expect([answer.status, answer.body.code]).toEqual([400, 'malformed_request'])
})
