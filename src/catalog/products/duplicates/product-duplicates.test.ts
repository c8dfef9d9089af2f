import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { duplicateLimits } from '../../limits.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

type Line = { sku: string; name: string } & Record<string, unknown>

async function shopOf(lines: Line[]): Promise<Tenant> {
  const shop = await service.tenant()
  const { body } = await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  expect(body.summary.created).toBe(lines.length)
  return shop
}

/** The SKUs of each group, by reason. */
async function groups({ call }: Tenant, query = ''): Promise<[string, ...string[]][]> {
  const { body } = await call(`/v2/products/duplicates?${query}`)
  return body.results.map(({ reason, products }: { reason: string; products: { sku: string }[] }) => [
    reason,
    ...products.map(({ sku }) => sku),
  ])
}

const named = (names: string[]): Line[] => names.map((name, at) => ({ sku: `N-${at}`, name }))

test('products with the same GTIN are a group, in any notation, attribute and position', async () => {
  const attributes = [
    { ean: '4006381333931' },
    { GTIN: ['x', '400-6381 333931'] },
    { barcode: 4006381333931 },
    { isbn: '04006381333931', ean: '4006381333931' },
    { ean: '4006381333932' },
    { color: '4006381333931' },
    { ean: '0000000000000' },
    { ean: '0000000000000' },
    { ean: '400' },
    { ean: '400' },
  ]
  const shop = await shopOf(attributes.map((own, at) => ({ sku: `G-${at}`, name: `${at}`, attributes: own })))
  expect(await groups(shop)).toEqual([['same_gtin', 'G-0', 'G-1', 'G-2', 'G-3']])
  const { body } = await shop.call('/v2/products/duplicates')
  expect(body).toMatchObject({ count: 1, next: null, previous: null, complete: true })
  expect(body.results[0]).toMatchObject({ value: '04006381333931', count: 4 })
})

test('names are close if they have the same words in another order, case or punctuation, or with one typo', async () => {
  const shop = await shopOf(
    named([
      'Ceramic vase Nordic',
      'CERAMIC VASE, NORDIC',
      'Nordic ceramic vase',
      'Ceramic vase Nrodic',
      'Wool T-shirt Ålesund',
      'Wool Tshirt ålesund',
      'Чайник стальной большой',
      'Чайник стальнй большой',
    ]),
  )
  expect(await groups(shop)).toEqual([
    ['close_name', 'N-0', 'N-1', 'N-2', 'N-3'],
    ['close_name', 'N-4', 'N-5'],
    ['close_name', 'N-6', 'N-7'],
  ])
})

test('names that differ in a number, a word or two letters are not close', async () => {
  const names = [
    ['Oak wall shelf 30 cm', 'Oak wall shelf 40 cm'],
    ['Linen cushion cover sand', 'Linen cushion cover white'],
    ['Wool door mat Mads', 'Wool door mat Maja'],
    ['Lamp', 'Lump'],
    ['Desk organizer small', 'Desk organizer small black'],
    ['Glass jug 1 l', 'Glass jug 2 l'],
  ]
  expect(await groups(await shopOf(named(names.flat())))).toEqual([])
})

test('archived products and variants of one parent are no duplicates by name', async () => {
  const variant = (sku: string, size: string) => ({
    sku,
    name: 'Cotton tee basic',
    parent: { sku: 'TEE' },
    attributes: { size },
  })
  const shop = await shopOf([
    { sku: 'TEE', name: 'Cotton tee basic', product_type: 'configurable', variant_axes: ['size'] },
    variant('TEE-S', 'S'),
    variant('TEE-M', 'M'),
    { sku: 'OLD', name: 'Cotton tee basic', status: 'archived' },
  ])
  expect(await groups(shop)).toEqual([])
  await shop.call('/v2/products', { method: 'POST', body: { sku: 'TEE-2', name: 'Cotton tee basic' } })
  expect(await groups(shop)).toEqual([['same_name', 'TEE', 'TEE-S', 'TEE-M', 'TEE-2']])
})

describe('a project with all kinds of duplicates', () => {
  let shop: Tenant
  beforeEach(async () => {
    shop = await shopOf([
      { sku: 'A-1', name: 'Brass table lamp', price: 12.5, attributes: { ean: '4006381333931' } },
      { sku: 'A-2', name: 'Brass table lamp', attributes: { ean: '4006381333931' } },
      { sku: 'B-1', name: 'Round side table' },
      { sku: 'B-2', name: 'Round side table' },
      { sku: 'C-1', name: 'Folding garden chair' },
      { sku: 'C-2', name: 'Folding graden chair' },
    ])
  })

  test('lists each pair once, with its strongest reason, or the groups of one reason', async () => {
    const all = [
      ['same_gtin', 'A-1', 'A-2'],
      ['same_name', 'B-1', 'B-2'],
      ['close_name', 'C-1', 'C-2'],
    ]
    expect(await groups(shop)).toEqual(all)
    expect(await groups(shop, 'reason=same_name')).toEqual([['same_name', 'A-1', 'A-2'], all[1]])
    expect((await shop.call('/v2/products/duplicates?reason=same_sku')).status).toBe(400)
  })

  test('shows what a product is, and pages through the groups', async () => {
    const { body } = await shop.call('/api/products/duplicates?page_size=2')
    expect(body.count).toBe(3)
    expect(body.results[0].products[0]).toEqual({
      id: expect.any(Number),
      sku: 'A-1',
      name: 'Brass table lamp',
      status: 'pending',
      price: 12.5,
      currency: expect.any(String),
      version: 1,
      updated_at: expect.any(String),
      media: [],
    })
    const next = await shop.call(new URL(body.next).pathname + new URL(body.next).search)
    expect(next.body.results).toHaveLength(1)
    expect((await shop.call('/v2/products/duplicates?page=last&page_size=2')).body).toEqual(
      expect.objectContaining({ count: 3, next: null }),
    )
    expect((await shop.call('/v2/products/duplicates?page=4')).body.code).toBe('invalid_page')
  })

  test('shows the current groups after every change', async () => {
    const { results } = (await shop.call('/v2/products?sku=B-2')).body
    await shop.call(`/v2/products/${results[0].id}`, { method: 'PATCH', body: { status: 'archived' } })
    expect((await groups(shop)).map(([reason]) => reason)).toEqual(['same_gtin', 'close_name'])
  })
})

test('a group lists its first products and counts all of them', async () => {
  const count = duplicateLimits.groupProducts + 5
  const shop = await shopOf(
    Array.from({ length: count }, (_, at) => ({ sku: `M-${at}`, name: 'Stacking box' })),
  )
  const { body } = await shop.call('/v2/products/duplicates')
  expect(body.results[0].count).toBe(count)
  expect(body.results[0].products.map(({ sku }: Line) => sku)).toEqual(
    Array.from({ length: duplicateLimits.groupProducts }, (_, at) => `M-${at}`),
  )
})
