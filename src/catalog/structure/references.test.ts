import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { expectExactReferences, expectMatchesRows } from '../../../test/models/structure-model.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const send = (shop: Tenant, method: string, path: string, body: unknown, headers = {}) =>
  shop.call(`/v2${path}`, { method, body, headers })
const outcomes = async (shop: Tenant, lines: object[]) => {
  const { status, body } = await send(shop, 'POST', '/products/bulk', lines)
  expect(status, JSON.stringify(body)).toBe(200)
  await expectExactReferences(service, shop)
  return body.results.map(({ outcome }: { outcome: string }) => outcome)
}

const variant = (sku: string, color: string, more = {}) => ({
  sku,
  name: sku,
  parent: { sku: 'SHIRT' },
  attributes: { color, size: 'M' },
  ...more,
})

/** A configurable product and its variants, each named by its color. */
async function shopWith(...colors: string[]): Promise<Tenant & { ids: Record<string, number> }> {
  const shop = await service.tenant()
  const shirt = { sku: 'SHIRT', name: 'Shirt', product_type: 'configurable', variant_axes: ['color'] }
  const ids: Record<string, number> = {}
  for (const product of [shirt, ...colors.map((color) => variant(color, color))])
    ids[product.sku] = (await send(shop, 'POST', '/products', product)).body.id
  return { ...shop, ids }
}

test('a variant is identified by its axis values, regardless of other changes', async () => {
  const shop = await shopWith('red')
  const { ids } = shop
  await send(shop, 'PATCH', `/products/${ids['SHIRT']}`, { sku: 'TEE' })
  const path = `/products/${ids['red']}`
  await send(shop, 'PATCH', path, { parent: { id: ids['SHIRT'] }, price: 5 })
  await send(shop, 'PATCH', path, { links: { related: [{ sku: 'LATER' }] } })
  await expectMatchesRows(service, shop)
  const twin = variant('TWIN', 'red', { parent: { sku: 'TEE' } })
  const rejected = { status: 409, body: { code: 'duplicate_variant', existing_id: ids['red'] } }
  expect(await send(shop, 'POST', '/products', twin)).toMatchObject(rejected)
  expect(await send(shop, 'POST', '/products', twin, { 'idempotency-key': 'one' })).toMatchObject(rejected)
  expect(await send(shop, 'PUT', '/products/by-sku/TWIN', twin)).toMatchObject(rejected)
  const other = variant('TWIN', 'blue', { parent: { sku: 'TEE' } })
  expect(await send(shop, 'PUT', '/products/by-sku/TWIN', other)).toMatchObject({ status: 201 })
  expect(await send(shop, 'PUT', '/products/by-sku/TWIN', twin)).toMatchObject(rejected)
})

test('products that reference an erased product can be changed, and find the next product with its SKU', async () => {
  const shop = await shopWith('red')
  const bundle = { sku: 'SET', name: 'Set', product_type: 'bundle', components: [{ sku: 'red' }] }
  await send(shop, 'POST', '/products', bundle)
  for (const id of [shop.ids['SHIRT'], shop.ids['red']] as number[]) {
    await send(shop, 'PATCH', `/products/${id}`, { links: { related: [{ id: shop.ids['SHIRT'] }] } })
    await send(shop, 'PATCH', `/products/${id}`, { status: 'archived' })
  }
  await eraseProduct(service.database, { name: 'tester' }, shop.project, shop.ids['SHIRT'] as number)
  const path = `/products/${shop.ids['red']}`
  expect(await send(shop, 'PATCH', path, { attributes: { color: 'blue' } })).toMatchObject({ status: 200 })
  await eraseProduct(service.database, { name: 'tester' }, shop.project, shop.ids['red'] as number)
  const patch = { links: { upsell: [{ sku: 'SHIRT' }] }, attributes: { kind: 'gift' } }
  expect(await outcomes(shop, [{ sku: 'SET', ...patch }, variant('red', 'red')])).toEqual([
    'updated',
    'created',
  ])
})

test('lines of a push can take values that other lines give up, and only conflicting lines are rejected', async () => {
  const colors = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  const shop = await shopWith(...colors)
  const recolored = (sku: string, color: string) => ({ sku, attributes: { color } })
  const lines = [
    variant('NEW', 'a'),
    recolored('a', 'new'),
    { sku: 'b', parent: null },
    recolored('NEW', 'b'),
    variant('NEWER', 'a'),
    { sku: 'c', name: 'Told again', attributes: { color: 'c' } },
    recolored('NEWEST', 'c'),
    recolored('d', 'c'),
  ]
  const rejected = ['rejected', 'rejected']
  const written = ['created', 'updated', 'updated', 'updated', 'created', 'updated']
  expect(await outcomes(shop, lines)).toEqual([...written, ...rejected])
  const chain = colors.slice(2).map((color, index, all) => recolored(color, all[index + 1] ?? 'a'))
  expect(new Set(await outcomes(shop, chain))).toEqual(new Set(['rejected']))
  const ring = colors.slice(2).map((color, index, all) => recolored(color, all[index + 1] ?? 'c'))
  expect(new Set(await outcomes(shop, ring))).toEqual(new Set(['updated']))
})

test('a push adds variants up to the limit of a parent, across batches', { tags: 'slow' }, async () => {
  const shop = await service.tenant()
  const variants = Array.from({ length: 2_003 }, (_, at) => ({
    sku: `V-${at}`,
    name: 'A variant',
    parent: { sku: 'CROWD' },
    attributes: { at },
  }))
  const parent = { sku: 'CROWD', name: 'A parent', product_type: 'configurable', variant_axes: ['at'] }
  const push = (query: string) =>
    shop.call(`/v2/products/bulk${query}`, { method: 'POST', body: [parent, ...variants] })
  for (const query of ['?dry_run=true', '']) {
    const { body } = await push(query)
    expect(body.summary).toMatchObject({ created: 2_001, rejected: 3 })
  }
  const { body: crowd } = await shop.call('/v2/products/by-sku/CROWD')
  expect(crowd.variants.count).toBe(2_000)
})

test('a line is rejected if other lines of its batch change the type or axes of a referenced product', async () => {
  const shop = await shopWith('red', 'blue')
  const plain = { sku: 'PLAIN', name: 'Plain' }
  const bundle = { sku: 'SET', name: 'Set', product_type: 'bundle' }
  expect(await outcomes(shop, [plain, bundle])).toEqual(['created', 'created'])
  const otherAxes = [
    { sku: 'SHIRT', variant_axes: ['color', 'size'] },
    { sku: 'red', attributes: { color: 'blue', size: 'L' } },
  ]
  expect(await outcomes(shop, otherAxes)).toEqual(['updated', 'rejected'])
  expect(await outcomes(shop, otherAxes)).toEqual(['unchanged', 'updated'])
  const retyped = [
    { sku: 'PLAIN', product_type: 'grouped', components: [{ sku: 'red' }] },
    { sku: 'SET', components: [{ sku: 'PLAIN' }] },
  ]
  expect(await outcomes(shop, retyped)).toEqual(['updated', 'rejected'])
})

test('an atomic push reports which line conflicts with an earlier line', async () => {
  const shop = await shopWith()
  const lines = [
    variant('RED', 'red'),
    { sku: 'SET', name: 'Set', product_type: 'bundle', components: [{ sku: 'RED' }] },
    { sku: 'SHIRT', product_type: 'bundle', components: [{ sku: 'RED' }] },
  ]
  const { status, body } = await send(shop, 'POST', '/products/bulk?on_error=abort', lines)
  expect([status, body.results]).toMatchObject([
    422,
    [
      { id: null, outcome: 'created' },
      { id: null, outcome: 'created' },
      { outcome: 'rejected', errors: [{ code: 'has_children' }] },
    ],
  ])
  expect((await shop.call('/v2/products')).body.count).toBe(1)
})

test('repeating a push changes nothing, even if its lines reference each other', async () => {
  const shop = await shopWith('red')
  const lines = [
    { sku: 'A', name: 'A', links: { related: [{ sku: 'B' }] } },
    { sku: 'SET', name: 'Set', product_type: 'bundle', components: [{ sku: 'red' }, { sku: 'LATE' }] },
    { sku: 'B', name: 'B', links: { related: [{ sku: 'A' }] } },
  ]
  expect(await outcomes(shop, lines)).toEqual(['created', 'created', 'created'])
  await outcomes(shop, [{ sku: 'LATE', name: 'Late' }])
  expect(await outcomes(shop, lines)).toEqual(['unchanged', 'unchanged', 'unchanged'])
})
