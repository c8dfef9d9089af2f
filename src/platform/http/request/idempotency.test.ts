import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { sql } from '../../database/sql.ts'
import { deleteOldResponses } from './idempotency.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const post = (path: string, body: unknown, key: string, tenant = shop) =>
  tenant.call(path, { method: 'POST', body, headers: { 'idempotency-key': key } })

describe('an Idempotency-Key', () => {
  test('returns the first response again: status, Location, ETag and body', async () => {
    const body = { sku: 'I-1', name: ' Trimmed ', price: 1.5, attributes: { z: 1, a: 2 } }
    const first = await post('/api/products', body, 'key-1')
    const again = await post('/api/products', body, 'key-1')
    expect([again.status, again.text]).toEqual([201, first.text])
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  })

  test('is the same under both prefixes', async () => {
    const body = { sku: 'I-9', name: 'Both' }
    const first = await post('/api/products', body, 'key-9')
    const again = await post('/v2/products', body, 'key-9')
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
  })

  test('with another body is rejected: 422', async () => {
    await post('/api/products', { sku: 'I-2', name: 'One' }, 'key-2')
    const { status, body } = await post('/api/products', { sku: 'I-3', name: 'Two' }, 'key-2')
    expect([status, body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('fault 21: belongs to project, method and path', async () => {
    const other = await service.tenant()
    const body = { sku: 'I-4', name: 'One' }
    const ours = await post('/api/products', body, 'key-4')
    const theirs = await post('/api/products', body, 'key-4', other)
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(theirs.body.id).not.toBe(ours.body.id)
    expect((await post('/api/categories', { name: 'I' }, 'key-4')).status).toBe(201)
  })

  test('fault 20: by 20 clients at once writes once: the others get the same response, or 409 while it is in progress', async () => {
    const { body: product } = await shop.call('/api/products', {
      method: 'POST',
      body: { sku: 'I-5', name: 'Stock', inventory: { quantity: 0 } },
    })
    const path = `/api/products/${product.id}/inventory/adjust`
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(path, { delta: 5, reason: 'Delivery' }, 'key-5')),
    )
    for (const { status, body } of answers) {
      if (status === 409) expect(body.code).toBe('idempotency_in_flight')
      else expect([status, body.quantity]).toEqual([200, 5])
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await shop.call(`/api/products/${product.id}`)).body.inventory.quantity).toBe(5)
  })

  test('of a request that failed may be used again', async () => {
    await post('/api/products', { sku: 'I-6', name: '' }, 'key-6')
    expect((await post('/api/products', { sku: 'I-6', name: 'Right' }, 'key-6')).status).toBe(201)
  })

  test.each(['', 'x'.repeat(256), 'two words', '\u00e4'])('that is %j is rejected: 400', async (key) => {
    const { status, body } = await post('/api/products', { sku: 'I-7', name: 'x' }, key)
    expect([status, body.code]).toEqual([400, 'malformed_request'])
  })

  test('is forgotten after 24 hours', async () => {
    await post('/api/categories', { name: 'Old key' }, 'key-8')
    await service.database.query(sql`
      update idempotency_keys set created_at = now() - interval '25 hours' where project_id = ${shop.project} and key = 'key-8'`)
    expect((await post('/api/categories', { name: 'Old key' }, 'key-8')).body.code).toBe('duplicate_name')
    await deleteOldResponses(service.database, new AbortController().signal)
    const rows = await service.database.query(
      sql`select from idempotency_keys where project_id = ${shop.project} and key = 'key-8'`,
    )
    expect(rows).toHaveLength(0)
  })
})

/** They write nothing, or can be repeated: see "Retry a POST safely" in docs/guide/write-products.md. */
const withoutKey = [
  '/ai-providers/{name}/test',
  '/assets',
  '/assets/from-url',
  '/attributes/preview',
  '/categories/{id}/merge',
  '/products/bulk',
  '/prompts/{id}/render',
  '/proposals/{id}/apply',
  '/quality-rules/preview',
  '/webhooks/{id}/test',
]

test('every POST takes an Idempotency-Key, but for those that the guide names', async () => {
  const { paths } = JSON.parse((await service.call('/openapi.json')).text)
  type Operation = { post?: { parameters?: { name: string }[] } }
  const without = Object.entries(paths as Record<string, Operation>)
    .filter(([, { post }]) => post && !post.parameters?.some(({ name }) => name === 'Idempotency-Key'))
    .map(([path]) => path)
  expect(without.toSorted()).toEqual(withoutKey)
})

describe('a proposal with an Idempotency-Key', () => {
  const lines = [{ sku: 'IP-1', name: 'One' }]
  const count = async () => (await shop.call('/v2/proposals')).body.count

  test.each(['application/json', 'application/x-ndjson'])('is made once, from %s', async (type) => {
    const before = await count()
    const headers = { 'idempotency-key': `key-${type}`, 'content-type': type }
    const body = type === 'application/json' ? JSON.stringify(lines) : JSON.stringify(lines[0])
    const propose = (query = '', text = body) =>
      shop.call(`/v2/proposals?title=Once${query}`, { method: 'POST', headers, body: text })
    const answers = await Promise.all(Array.from({ length: 8 }, () => propose()))
    const again = await propose()
    for (const { status, text } of answers)
      if (status === 409) expect(text).toContain('idempotency_in_flight')
      else expect([status, text]).toEqual([201, again.text])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('location')).toMatch(new RegExp(`/v2/proposals/${again.body.id}$`))
    expect(await count()).toBe(before + 1)
    const others = [await propose('', `${body} `), await propose('&mode=create')]
    expect(others.map(({ body }) => body.code)).toEqual(Array(2).fill('idempotency_mismatch'))
  })
})

describe('a webhook with an Idempotency-Key', () => {
  test('is created once and returns the same secret, which is never stored unencrypted', async () => {
    const own = await service.tenant()
    const body = { url: 'https://hooks.example/once' }
    const first = await post('/v2/webhooks', body, 'hook', own)
    const again = await post('/v2/webhooks', body, 'hook', own)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.body.secret).toMatch(/^whsec_/)
    expect((await own.call('/v2/webhooks')).body.count).toBe(1)
    const path = `/v2/webhooks/${first.body.id}/rotate`
    const rotated = await post(path, {}, 'rotate', own)
    const repeated = await post(path, {}, 'rotate', own)
    expect(repeated.text).toBe(rotated.text)
    expect(rotated.body.secret).not.toBe(first.body.secret)
    const kept = await service.database.query(sql<{ text: string }>`
      select key::text || coalesce(body::text, '') as text from idempotency_keys as key where project_id = ${own.project}`)
    expect(kept).toHaveLength(2)
    for (const { text } of kept) expect(text).not.toContain('whsec_')
    for (const { body } of [first, rotated])
      for (const { text } of kept) expect(text).not.toContain(body.secret.slice('whsec_'.length))
  })

  test('is disabled and enabled once', async () => {
    const own = await service.tenant()
    const { body } = await post('/v2/webhooks', { url: 'https://hooks.example/state' }, 'hook', own)
    for (const act of ['disable', 'enable']) {
      const path = `/v2/webhooks/${body.id}/${act}`
      const first = await post(path, {}, act, own)
      const again = await post(path, {}, act, own)
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    }
  })
})

test('a revert with an Idempotency-Key is done once', async () => {
  const create = { method: 'POST', body: { sku: 'IR-1', name: 'One' } }
  const { id } = (await shop.call('/v2/products', create)).body
  const rename = (name: string) => shop.call(`/v2/products/${id}`, { method: 'PATCH', body: { name } })
  await rename('Two')
  const first = await post(`/v2/products/${id}/revert`, { version: 1 }, 'revert')
  await rename('Three')
  const again = await post(`/v2/products/${id}/revert`, { version: 1 }, 'revert')
  expect([first.body.name, again.text]).toEqual(['One', first.text])
  expect((await shop.call(`/v2/products/${id}`)).body.name).toBe('Three')
})

test('a null body is rejected by every route with an optional body', async () => {
  const { body: webhook } = await post('/v2/webhooks', { url: 'https://hooks.example/null' }, 'null-hook')
  const { body: proposal } = await shop.call('/v2/proposals', {
    method: 'POST',
    body: [{ sku: 'N', name: 'N' }],
  })
  const paths = [
    ...['apply', 'discard', 'revert'].map((act) => `/v2/proposals/${proposal.id}/${act}`),
    ...['rotate', 'enable', 'parked/retry'].map((act) => `/v2/webhooks/${webhook.id}/${act}`),
  ]
  for (const path of paths) {
    const { status, body } = await shop.call(path, { method: 'POST', body: null })
    expect([path, status, body.errors]).toMatchObject([path, 422, [{ pointer: '', code: 'invalid_type' }]])
  }
})
