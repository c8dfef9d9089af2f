import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ name: 'Editor' })
})

let serial = 0
async function product(fields: object = {}) {
  serial += 1
  const { body } = await shop.call('/api/products', {
    method: 'POST',
    body: { sku: `U-${serial}`, name: 'A fine product', ...fields },
  })
  return body
}

const patch = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  shop.call(`/api/products/${id}`, { method: 'PATCH', body, headers })
const put = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  shop.call(`/api/products/${id}`, { method: 'PUT', body, headers })
const read = async (id: number) => (await shop.call(`/api/products/${id}`)).body
const history = async (id: number) => (await shop.call(`/api/products/${id}/history`)).body

describe('PATCH', () => {
  test.each(['application/json', 'application/merge-patch+json'])(
    'as %s changes only the fields that it names',
    async (type) => {
      const before = await product({
        price: 5,
        attributes: { color: 'red', size: 'L' },
        categories: [{ name: 'Kept' }],
      })
      const { status, body } = await patch(
        before.id,
        { price: 7.5, status: 'active' },
        { 'content-type': type },
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({
        ...before,
        price: 7.5,
        status: 'active',
        version: 2,
        updated_at: expect.any(String),
        quality_score: expect.any(Object),
      })
      expect(body.updated_at > before.updated_at).toBe(true)
      expect(await read(before.id)).toEqual(body)
    },
  )

  test('merges attributes key by key, and null removes one', async () => {
    const { id } = await product({ attributes: { color: 'red', size: 'L' } })
    const { body } = await patch(id, '{"attributes":{"color":null,"weight":5,"__proto__":"x"}}')
    expect(Object.entries(body.attributes).sort()).toEqual([
      ['__proto__', 'x'],
      ['size', 'L'],
      ['weight', 5],
    ])
  })

  test('replaces categories, in their new order', async () => {
    const before = await product({ categories: [{ name: 'One' }, { name: 'Two' }] })
    const [one, two] = before.categories
    const { body } = await patch(before.id, { categories: [two.id, { name: 'Three' }, one.id] })
    expect(body.categories.map(({ name }: { name: string }) => name)).toEqual(['Two', 'Three', 'One'])
    expect((await patch(before.id, { categories: [] })).body.categories).toEqual([])
  })

  test('that changes nothing writes nothing, and version and time do not change', async () => {
    const before = await product({
      price: 5,
      attributes: { a: 1, b: 2 },
      categories: [{ name: 'Same' }],
      inventory: { quantity: 3 },
    })
    const same = {
      name: before.name,
      price: 5.0,
      attributes: { b: 2 },
      categories: [{ name: 'Same' }],
      inventory: { quantity: 3 },
    }
    const { status, body } = await patch(before.id, same)
    expect([status, body]).toEqual([200, before])
    expect((await history(before.id)).count).toBe(1)
    expect((await patch(before.id, {})).body).toEqual(before)
  })

  test('computes the quality score in the same write', async () => {
    const { id, quality_score } = await product()
    const { body } = await patch(id, { description: 'x'.repeat(120), price: 3 })
    expect(body.quality_score.score).toBe(quality_score.score + 40)
    const ranked = await shop.call(
      `/api/products?sku=${body.sku}&quality_score__gte=${body.quality_score.score}`,
    )
    expect(ranked.body.count).toBe(1)
    expect(
      (await shop.call(`/api/products?sku=${body.sku}&quality_rule=description_length`)).body.count,
    ).toBe(0)
    expect((await shop.call(`/api/products?sku=${body.sku}&quality_rule=category_present`)).body.count).toBe(
      1,
    )
  })

  test('reports all errors at once, and changes no row', async () => {
    const before = await product()
    const { status, body } = await patch(before.id, {
      name: '',
      price: -1,
      identifier: 5,
      attributes: { a: {} },
      inventory: { in_store: 3 },
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/attributes/a',
      '/identifier',
      '/inventory/in_store',
      '/name',
      '/price',
    ])
    expect(await read(before.id)).toEqual(before)
  })

  test('returns the same bytes and ETag as the following read', async () => {
    const { id } = await product({ attributes: { long_name: 1 } })
    const written = await patch(id, { attributes: { zzzzz: 'new', b: 1 } })
    const next = await shop.call(`/api/products/${id}`, {
      headers: { 'if-none-match': written.headers.get('etag') ?? '' },
    })
    expect(next.status).toBe(304)
  })

  test('with the new name of a renamed category is not a change', async () => {
    const before = await product({ categories: [{ name: 'Before the rename' }] })
    const [{ id }] = before.categories
    await shop.call(`/api/categories/${id}`, { method: 'PATCH', body: { name: 'After the rename' } })
    const { body } = await patch(before.id, { categories: [id] })
    expect([body.version, body.categories]).toEqual([1, [{ id, name: 'After the rename' }]])
    const changed = (await patch(before.id, { price: 5 })).body
    const { body: past } = await shop.call(`/api/products/${before.id}?as_of=${changed.updated_at}`)
    expect(past.categories).toEqual([{ id, name: 'After the rename' }])
  })

  test('can change the SKU to a free one, and names the product that has a taken one', async () => {
    const first = await product()
    const second = await product()
    expect((await patch(second.id, { sku: `${second.sku}-new` })).body.sku).toBe(`${second.sku}-new`)
    const { status, body } = await patch(second.id, { sku: first.sku })
    expect([status, body.code, body.existing_id]).toEqual([409, 'duplicate_sku', first.id])
  })

  test('cannot add more than 200 attributes', async () => {
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`a${from + index}`, 'x']))
    const { id } = await product({ attributes: many(0) })
    const { status, body } = await patch(id, { attributes: many(150) })
    expect([status, body.errors[0].pointer]).toEqual([422, '/attributes'])
  })

  test('allows every status transition', async () => {
    const { id } = await product()
    const statuses = ['active', 'inactive', 'pending', 'archived']
    for (const from of statuses) {
      for (const to of statuses) {
        await patch(id, { status: from })
        expect((await patch(id, { status: to })).body.status).toBe(to)
      }
    }
  })
})

describe('PUT', () => {
  test('replaces every writable field with its value or default, except stock', async () => {
    const before = await product({
      price: 5,
      description: 'x',
      attributes: { a: 1 },
      categories: [{ name: 'Gone' }],
      inventory: { quantity: 4, backorders: true },
    })
    const { status, body } = await put(before.id, { sku: before.sku, name: 'New name' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'New name',
      description: '',
      price: null,
      attributes: {},
      categories: [],
      status: 'pending',
      version: 2,
    })
    expect(body.inventory).toEqual(before.inventory)
  })

  test('needs SKU and name', async () => {
    const { id } = await product()
    expect((await put(id, {})).body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/sku',
      '/name',
    ])
  })
})

describe('PUT by SKU', () => {
  const bySku = (sku: string, body: unknown, headers: Record<string, string> = {}) =>
    shop.call(`/v2/products/by-sku/${encodeURIComponent(sku)}`, { method: 'PUT', body, headers })

  test('creates with 201 and replaces with 200', async () => {
    const created = await bySku('by/sku é 1', { name: 'Made' })
    expect([created.status, created.body.sku]).toEqual([201, 'by/sku é 1'])
    expect(created.headers.get('location')).toBe(`${service.url}/v2/products/${created.body.id}`)
    const replaced = await bySku('by/sku é 1', { sku: 'by/sku é 1', name: 'Replaced' })
    expect([replaced.status, replaced.body.id, replaced.body.version]).toEqual([200, created.body.id, 2])
    const found = await shop.call(`/v2/products/by-sku/${encodeURIComponent('by/sku é 1')}`)
    expect(found.body).toEqual(replaced.body)
  })

  test('rejects another SKU in the body, and an invalid SKU in the URL', async () => {
    expect((await bySku('A-1', { sku: 'A-2', name: 'x' })).body.errors[0].pointer).toBe('/sku')
    expect((await bySku('x'.repeat(65), { name: 'x' })).status).toBe(422)
    expect((await bySku('%20', { name: 'x' })).status).toBe(201)
    expect((await shop.call('/v2/products/by-sku/nothing')).status).toBe(404)
    expect((await shop.call('/v2/products/by-sku/%00')).status).toBe(404)
  })

  test('with If-None-Match: * only creates', async () => {
    expect((await bySku('ONCE', { name: 'x' }, { 'if-none-match': '*' })).status).toBe(201)
    expect((await bySku('ONCE', { name: 'y' }, { 'if-none-match': '*' })).status).toBe(412)
  })

  test('by 30 concurrent clients creates one product', async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => bySku('MANY', { name: `Name ${index}` })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(29).fill(200), 201])
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  })
})

describe('ETag', () => {
  test('starts with the version, allows 304, and changes with every visible field', async () => {
    const { id } = await product({ categories: [{ name: 'Tagged' }], inventory: { quantity: 1 } })
    const first = await shop.call(`/api/products/${id}`)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"1-[\w-]{22}"$/)
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await shop.call(`/api/products/${id}`, { headers: { 'if-none-match': value } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    }
    await shop.call(`/api/products/${id}/inventory/adjust`, {
      method: 'POST',
      body: { delta: 1, reason: 'Found' },
    })
    const stocked = await shop.call(`/api/products/${id}`, { headers: { 'if-none-match': tag } })
    expect([stocked.status, stocked.body.version]).toEqual([200, 1])
    await shop.call(`/api/categories/${first.body.categories[0].id}`, {
      method: 'PATCH',
      body: { name: 'Renamed' },
    })
    const renamed = await shop.call(`/api/products/${id}`, {
      headers: { 'if-none-match': stocked.headers.get('etag') ?? '' },
    })
    expect([renamed.status, renamed.body.categories[0].name]).toEqual([200, 'Renamed'])
  })

  test('in If-Match compares only the version: a stale one gets 412, and stock changes do not matter', async () => {
    const { id } = await product({ inventory: { quantity: 1 } })
    const tag = (await shop.call(`/api/products/${id}`)).headers.get('etag') ?? ''
    await shop.call(`/api/products/${id}/inventory/adjust`, {
      method: 'POST',
      body: { delta: 1, reason: 'Found' },
    })
    expect((await patch(id, { name: 'Second name' }, { 'if-match': tag })).status).toBe(200)
    for (const method of ['PATCH', 'PUT']) {
      const stale = await shop.call(`/api/products/${id}`, {
        method,
        body: { sku: `STALE-${id}`, name: 'Third name' },
        headers: { 'if-match': tag },
      })
      expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    }
    expect((await patch(id, { name: 'Fourth name' }, { 'if-match': '*' })).status).toBe(200)
    expect((await patch(id, { name: 'Fifth name' }, { 'if-match': '"nonsense"' })).status).toBe(412)
  })

  test('fault 20: of two PATCHes with one ETag, one is applied and one gets 412', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await product()
      const tag = (await shop.call(`/api/products/${id}`)).headers.get('etag') ?? ''
      const responses = await Promise.all(
        [1, 2].map((number) => patch(id, { name: `Racer number ${number}` }, { 'if-match': tag })),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    }
  })

  test('is compared with the version after the body has arrived, even if nothing would change', async () => {
    const { id, name } = await product()
    const tag = (await shop.call(`/api/products/${id}`)).headers.get('etag') ?? ''
    const body = JSON.stringify({ name })
    const { port } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `PATCH /api/products/${id} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${shop.token}\r\nIf-Match: ${tag}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    const [begun] = await once(socket, 'data')
    expect(String(begun)).toContain('HTTP/1.1 100 Continue')
    await patch(id, { name: 'Changed meanwhile' })
    socket.write(body)
    expect(await text(socket)).toContain('HTTP/1.1 412')
  })
})

describe('stock', () => {
  const adjust = (id: number, body: unknown, headers: Record<string, string> = {}) =>
    shop.call(`/api/products/${id}/inventory/adjust`, { method: 'POST', body, headers })

  test('fault 20: is adjusted atomically: concurrent changes add up, and each is recorded with reason and actor', async () => {
    const { id } = await product({ inventory: { quantity: 10 } })
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        adjust(id, { delta: index % 2 === 0 ? 3 : -1, reason: `Turn ${index}` }),
      ),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const { inventory, version } = await read(id)
    expect([inventory.quantity, inventory.available, version]).toEqual([70, 70, 1])
    const { body } = await shop.call(`/api/products/${id}/inventory/adjustments?page_size=100`)
    expect(body.count).toBe(60)
    expect(body.results[0]).toMatchObject({
      quantity: 70,
      actor: 'Editor',
      source: 'api',
      reason: expect.stringMatching(/^Turn/),
    })
  })

  test('can be adjusted with If-Match', async () => {
    const { id } = await product({ inventory: { quantity: 1 } })
    expect((await adjust(id, { delta: 1, reason: 'Found' }, { 'if-match': '"99-x"' })).status).toBe(412)
    expect((await adjust(id, { delta: 1, reason: 'Found' }, { 'if-match': '"1-x"' })).status).toBe(200)
  })

  test('never falls below zero without backorders, also in a race', async () => {
    const { id } = await product({ inventory: { quantity: 5 } })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => adjust(id, { delta: -1, reason: 'Sold' })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(responses.filter(({ status }) => status === 409)[0]?.body).toMatchObject({
      code: 'insufficient_stock',
    })
    expect((await read(id)).inventory).toMatchObject({ quantity: 0, available: 0, in_stock: false })
  })

  test('falls below zero with backorders, which cannot be turned off while it is negative', async () => {
    const { id } = await product({ inventory: { quantity: 1, backorders: true } })
    expect((await adjust(id, { delta: -3, reason: 'Sold' })).body).toMatchObject({
      quantity: -2,
      available: -2,
      in_stock: true,
    })
    const { status, body } = await patch(id, { inventory: { backorders: false } })
    expect([status, body.errors[0].pointer]).toEqual([422, '/inventory/backorders'])
    expect((await patch(id, { inventory: { backorders: false, quantity: 0 } })).status).toBe(200)
  })

  test('written by PATCH is recorded as an adjustment without a version, but its settings create one', async () => {
    const { id } = await product({ inventory: { quantity: 2 } })
    expect((await patch(id, { inventory: { quantity: 9, reserved: 4 } })).body).toMatchObject({
      version: 1,
      inventory: { quantity: 9, available: 5 },
    })
    const { body } = await shop.call(`/api/products/${id}/inventory/adjustments`)
    expect(body.results).toMatchObject([{ delta: 7, quantity: 9, reason: 'set' }])
    expect((await patch(id, { inventory: { low_stock_threshold: 3 } })).body.version).toBe(2)
  })

  test.each([
    {},
    { delta: 1 },
    { delta: 1.5, reason: 'x' },
    { delta: '1', reason: 'x' },
    { delta: 1, reason: '' },
    { delta: 1e13, reason: 'x' },
  ])('%j is rejected', async (body) => {
    const { id } = await product()
    expect((await adjust(id, body)).status).toBe(422)
  })
})

describe('history', () => {
  test('has one entry per change, newest first, with actor, time and the fields before and after', async () => {
    const { id, updated_at } = await product({ price: 5 })
    const second = (await patch(id, { price: 6, attributes: { color: 'red' } })).body
    await patch(id, { status: 'active' })
    const { count, results } = await history(id)
    expect(count).toBe(3)
    expect(results.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1])
    expect(results[0]).toMatchObject({
      actor: 'Editor',
      source: 'api',
      before: { status: 'pending' },
      after: { status: 'active' },
    })
    expect(results[1]).toEqual({
      version: 2,
      changed_at: second.updated_at,
      actor: 'Editor',
      source: 'api',
      before: { price: 5, attributes: {} },
      after: { price: 6, attributes: { color: 'red' } },
      provenance: {},
      proposal: null,
      score_before: 45,
      score_after: second.quality_score.score,
    })
    expect(results[2]).toMatchObject({
      before: null,
      changed_at: updated_at,
      after: { price: 5, name: 'A fine product' },
    })
  })

  test('shows the product as it was, without inventory, and 404 before its creation', async () => {
    const first = await product({ price: 5, categories: [{ name: 'Then' }] })
    const second = (await patch(first.id, { price: 6, categories: [] })).body
    const third = (await patch(first.id, { name: 'Quite another name' })).body
    for (const expected of [first, second, third]) {
      const { inventory: _, quality_score: __, variants: ___, ...shown } = expected
      const { status, body } = await shop.call(`/api/products/${first.id}?as_of=${expected.updated_at}`)
      expect([status, body]).toMatchObject([200, shown])
      expect(body).not.toHaveProperty('inventory')
      expect(body.quality_score.score).toBe(expected.quality_score.score)
    }
    const before = new Date(Date.parse(first.created_at) - 1).toISOString()
    expect((await shop.call(`/api/products/${first.id}?as_of=${before}`)).status).toBe(404)
    const local = encodeURIComponent('2999-01-01T00:00:00+02:00')
    expect((await shop.call(`/api/products/${first.id}?as_of=${local}`)).body.version).toBe(3)
  })

  test.each([
    'yesterday',
    '2026-01-01',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:00+02:00',
    '',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
  ])('as_of=%s is not a time: 400', async (time) => {
    const { id } = await product()
    const { status, body } = await shop.call(`/api/products/${id}?as_of=${time}`)
    expect([status, body.errors[0].parameter]).toEqual([400, 'as_of'])
  })

  test('has strictly growing times, also for changes within one millisecond', async () => {
    const { id } = await product()
    await Promise.all(Array.from({ length: 30 }, (_, index) => patch(id, { name: `Name number ${index}` })))
    const { results } = (await shop.call(`/api/products/${id}/history?page_size=100`)).body
    const times = results.map(({ changed_at }: { changed_at: string }) => changed_at)
    expect(times).toHaveLength(31)
    expect(times).toEqual([...new Set(times)].sort().reverse())
  })
})

describe('a change to the stock alone', () => {
  test('by push works for products that were last changed long ago, together with other changes', async () => {
    const [old, other, recent] = await Promise.all([product(), product(), product()])
    await service.database.query(
      sql`update products set updated_at = now() - interval '400 days' where id = any(${[old.id, other.id]}::bigint[])`,
    )
    const push = (lines: object[]) => shop.call('/v2/products/bulk', { method: 'POST', body: lines })
    const alone = await push([{ sku: other.sku, inventory: { quantity: 3 } }])
    expect(alone.body.summary).toMatchObject({ updated: 1, rejected: 0 })
    const pushed = await push([
      { sku: old.sku, inventory: { quantity: 4711 } },
      { sku: recent.sku, name: 'Renamed' },
    ])
    expect(pushed.body.summary).toMatchObject({ updated: 2, rejected: 0 })
    expect((await read(old.id)).inventory.quantity).toBe(4711)
  })

  test('does not change the score and its rules', async () => {
    const { id } = await product()
    await service.database.query(
      sql`update products set quality_score = 77, quality_rules_version = 0 where id = ${id}`,
    )
    expect((await patch(id, { inventory: { quantity: 9 } })).body.quality_score.score).toBe(77)
    const [row] = await service.database.query(
      sql<{ rules: number }>`select quality_rules_version as rules from products where id = ${id}`,
    )
    expect(row?.rules).toBe(0)
  })
})

describe('fault 27: a product that grows with every patch', () => {
  test('stays within the 1 MiB limit of one body, by patch and by push', async () => {
    const many = (letter: string) =>
      Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`${letter}${at}`, 'x'.repeat(9_000)]))
    const { body: product } = await shop.call('/v2/products', {
      method: 'POST',
      body: { sku: 'GROWING', name: 'Growing', attributes: many('a') },
    })
    const patch = (attributes: object) =>
      shop.call(`/v2/products/${product.id}`, { method: 'PATCH', body: { attributes } })
    const rejected = await patch(many('b'))
    expect([rejected.status, rejected.body.errors]).toMatchObject([
      422,
      [{ pointer: '/attributes', code: 'too_large' }],
    ])
    const pushed = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: [{ sku: 'GROWING', attributes: many('b') }],
    })
    expect(pushed.body.results).toMatchObject([{ outcome: 'rejected', errors: [{ code: 'too_large' }] }])
    expect((await shop.call(`/v2/products/${product.id}`)).body.version).toBe(1)
    expect((await patch({ small: 1 })).body.version).toBe(2)
  })
})
