import { inspect } from 'node:util'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Catalog } from '../../client/catalog.ts'
import { CatalogProblem } from '../../client/problem.ts'
import { sharedTestService, type Tenant, type TestService } from '../harness.ts'
import { type Fate, unreliableProxy } from './unreliable-proxy.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call succeeded'),
    (error: CatalogProblem) => error,
  )

/** A client behind a proxy whose requests have these fates, then pass. */
async function failing(...fates: Fate[]) {
  const proxy = await unreliableProxy(service.url, (place) => fates[place] ?? 'pass')
  return { ...proxy, catalog: new Catalog({ url: proxy.url, token: shop.token }) }
}

const soon: Fate = { status: 503, headers: { 'retry-after': '0' } }

describe('calls', () => {
  test('create, read, update, list, filter, iterate and delete', async () => {
    const { token } = await service.tenant()
    const catalog = new Catalog({ url: `${service.url}/`, token })
    const created = await catalog.products.create({ sku: 'A/1 ü', name: 'A', attributes: { color: 'red' } })
    let etag = ''
    const onResponse = ({ headers }: Response) => {
      etag = String(headers.get('etag'))
    }
    await catalog.products.get(created.id, {}, { onResponse })
    await catalog.products.update(created.id, { price: 2 }, { ifMatch: etag })
    expect(
      (await problemOf(catalog.products.update(created.id, { price: 3 }, { ifMatch: etag }))).status,
    ).toBe(412)
    expect((await catalog.products.getBySku('A/1 ü')).price).toBe(2)
    await catalog.products.push(
      Array.from({ length: 4 }, (_, n) => ({ sku: `B-${n}`, name: 'B', attributes: { color: 'red' } })),
    )
    const skus: string[] = []
    for await (const { sku } of catalog.products.all({ page_size: 2, attributes: { color: 'red' } }))
      skus.push(sku)
    expect(skus).toEqual(['A/1 ü', 'B-0', 'B-1', 'B-2', 'B-3'])
    expect((await catalog.products.list({ id__in: [created.id, 1] })).count).toBe(1)
    const { id } = await catalog.categories.create({ name: 'C' })
    expect(await catalog.categories.delete(id)).toBeUndefined()
    expect(await catalog.service.isAlive()).toEqual({ status: 'ok' })
  })

  test('read files as blobs, and upload blobs', async () => {
    const catalog = new Catalog({ url: service.url, token: shop.token })
    const file = new Blob(['%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'], {
      type: 'application/pdf',
    })
    const { id } = await catalog.assets.upload(file)
    const content = await catalog.assets.getContent(id)
    expect([content.type, await content.text()]).toEqual(['application/pdf', await file.text()])
  })
})

describe('retries', () => {
  test('a read is repeated after a 503, a lost response and a cut connection', async () => {
    const { catalog, seen } = await failing(soon, 'lose')
    expect((await catalog.products.list()).count).toBeGreaterThanOrEqual(0)
    expect(seen).toHaveLength(3)
    const { catalog: other } = await failing('cut', 'cut', 'cut')
    expect(await problemOf(other.products.list())).toMatchObject({ status: 0, code: 'connection_failed' })
  })

  test('a POST that takes a key is repeated with the same key, and has an effect once', async () => {
    const { catalog, seen } = await failing('lose', soon)
    const sku = crypto.randomUUID()
    await catalog.products.create({ sku, name: 'Once' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect((await catalog.products.list({ sku })).count).toBe(1)
  })

  test('a POST without a key and a PATCH without If-Match are not repeated, and the error says what to do', async () => {
    const { catalog, seen } = await failing('lose', 'lose', soon)
    const { id } = (
      await shop.call('/v2/categories', { method: 'POST', body: { name: crypto.randomUUID() } })
    ).body
    for (const call of [
      // The route takes no key.
      catalog.categories.merge(id, { into: id }, { idempotencyKey: 'a' }),
      catalog.categories.update(id, { name: 'New' }),
    ])
      expect(await problemOf(call)).toMatchObject({
        ...{ status: 0, code: 'outcome_unknown' },
        message: expect.stringContaining('Read the current state before you repeat the request.'),
      })
    expect(await problemOf(catalog.categories.update(id, { name: 'New' }))).toMatchObject({
      status: 503,
      retryAfter: 0,
    })
    expect(seen).toHaveLength(3)
  })

  test('an error of onResponse is passed on, and nothing is repeated', async () => {
    const { catalog, seen } = await failing()
    const onResponse = () => {
      throw new Error('not a connection')
    }
    await expect(catalog.project.get({}, { onResponse })).rejects.toThrow('not a connection')
    expect(seen).toHaveLength(1)
  })

  test('a PATCH with an empty If-Match, such as a missing ETag, is refused', async () => {
    const { catalog } = await failing()
    const { id } = await catalog.products.create({ sku: crypto.randomUUID(), name: 'A' })
    expect(await problemOf(catalog.products.update(id, { price: 1 }, { ifMatch: '' }))).toMatchObject({
      status: 412,
    })
  })

  test('a POST is repeated while the service still processes its first attempt', async () => {
    const inProgress = { status: 409, body: '{"code": "idempotency_in_flight", "detail": "Wait."}' }
    const { catalog, seen } = await failing('lose', inProgress)
    const { id } = await catalog.products.create({ sku: crypto.randomUUID(), name: 'Once' })
    expect([id, seen.length]).toEqual([expect.any(Number), 3])
  })

  test('502 and 504 are lost responses: a read is repeated, and the outcome of a write without a key is unknown', async () => {
    const { catalog, seen } = await failing({ status: 502 }, { status: 504 }, 'pass', { status: 504 })
    expect((await catalog.project.get()).id).toEqual(expect.any(Number))
    expect(await problemOf(catalog.categories.merge(1, { into: 2 }))).toMatchObject({
      ...{ status: 504, code: 'outcome_unknown' },
    })
    expect(seen).toHaveLength(4)
  })

  test('Retry-After can be a date', async () => {
    const { catalog } = await failing({
      status: 503,
      headers: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    })
    expect((await problemOf(catalog.products.list())).retryAfter).toBeGreaterThan(60)
  })

  test('a wait of more than a minute is not waited for', async () => {
    const { catalog, seen } = await failing({ status: 429, headers: { 'retry-after': '61' } })
    expect(await problemOf(catalog.products.list())).toMatchObject({ status: 429, retryAfter: 61 })
    expect(seen).toHaveLength(1)
  })

  test('an abort ends the wait for the next attempt', async () => {
    const { catalog, seen } = await failing({ status: 503, headers: { 'retry-after': '50' } })
    const controller = new AbortController()
    const call = catalog.products.list({}, { signal: controller.signal })
    await expect.poll(() => seen.length).toBe(1)
    controller.abort()
    expect((await problemOf(call)).name).toBe('AbortError')
  })
})

describe('errors', () => {
  test('have the code, the invalid fields and the request ID of the response', async () => {
    const catalog = new Catalog({ url: service.url, token: shop.token })
    const problem = await problemOf(catalog.products.create({ sku: '', name: 'A' }))
    expect(problem).toBeInstanceOf(CatalogProblem)
    expect(problem).toMatchObject({ status: 422, code: 'invalid_body', requestId: expect.any(String) })
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/sku' })])
  })

  test('a redirect is an error, and the token is not sent to its target', async () => {
    const other = await unreliableProxy(service.url, () => 'pass')
    const { catalog } = await failing({ status: 307, headers: { location: `${other.url}/v2/products` } })
    expect(await problemOf(catalog.products.list())).toMatchObject({
      status: 307,
      code: 'unexpected_response',
    })
    expect(other.seen).toEqual([])
  })

  test('a web page is an error, not a result', async () => {
    const { catalog } = await failing({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' })
    expect(await problemOf(catalog.products.list())).toMatchObject({ code: 'unexpected_response' })
  })

  test('a line of an export that is not JSON is an error, which does not quote it', async () => {
    const { catalog } = await failing({ status: 200, body: `{"sku": "A"}\n<p>${shop.token}\n` })
    const skus: string[] = []
    const reading = (async () => {
      for await (const { sku } of catalog.products.export()) skus.push(sku)
    })()
    expect(await problemOf(reading)).toMatchObject({
      ...{ code: 'unexpected_response', message: expect.not.stringContaining(shop.token) },
    })
    expect(skus).toEqual(['A'])
  })

  test('a response that is no problem is an error with its status', async () => {
    const { catalog } = await failing({ status: 418, body: '<h1>Teapot</h1>' })
    expect(await problemOf(catalog.products.list())).toMatchObject({
      status: 418,
      code: 'unexpected_response',
    })
  })

  test('never contain the token, whatever the network and the service return', async () => {
    const { token } = shop
    const echo = {
      status: 400,
      body: JSON.stringify({
        code: 'malformed_request',
        detail: `Bad ${token}`,
        errors: [{ message: token }],
      }),
    }
    const { catalog, url } = await failing(echo, { status: 500, body: token }, 'cut', 'cut', 'cut')
    const broken = new Catalog({
      url,
      token,
      retries: 0,
      fetch: () => Promise.reject(new Error(`failed: ${token}`, { cause: token })),
    })
    const problems = [
      ...[await problemOf(catalog.products.list()), await problemOf(catalog.products.list())],
      ...[await problemOf(catalog.products.list()), await problemOf(broken.products.list())],
    ]
    const shown = [...problems, catalog].map(
      (one) => `${inspect(one, { depth: 9, showHidden: true })} ${one} ${JSON.stringify(one)}`,
    )
    expect(shown.join()).not.toContain(token)
  })
})

test.each([
  ['http://catalog.example.com', 'cat_1', 'https'],
  ['https://user:password@catalog.example.com', 'cat_1', 'user name'],
  ['https://catalog.example.com', 'cat_1\n', 'characters'],
  ['https://:password@catalog.example.com', 'cat_1', 'password'],
  ['https://catalog.example.com?page=1', 'cat_1', 'query'],
  ['cat_1', 'https://catalog.example.com', 'not valid'],
  ['ftp://localhost', 'cat_1', 'https'],
])('the URL %s with the token %j is refused without showing the token', (url, token, reason) => {
  const create = () => new Catalog({ url, token })
  expect(create).toThrow(reason)
  expect(create).not.toThrow('cat_1')
  expect(create).toThrow(CatalogProblem)
})

test('a client that is newer than the service warns once, and one that is older never', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  try {
    const served = async (release: string, status = 200) => {
      const proxy = await unreliableProxy(service.url, () => ({
        status,
        headers: { 'catalog-version': release, 'content-type': 'application/json' },
        body: '{}',
      }))
      const catalog = new Catalog({ url: proxy.url, token: shop.token })
      for (let call = 0; call < 2; call++) await catalog.project.get().catch(() => {})
    }
    await served('0.3.9', 404)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('is newer than the service (0.3.9)')]])
    await served('0.10.0')
    await new Catalog({ url: service.url, token: shop.token }).project.get()
    expect(warn.mock.calls).toHaveLength(1)
  } finally {
    warn.mockRestore()
  }
})
