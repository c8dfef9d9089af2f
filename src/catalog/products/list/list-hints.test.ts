import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  const lines = [
    { sku: 'TEE', name: 'Tee', product_type: 'configurable', variant_axes: ['size'] },
    { sku: 'TEE-S', name: 'Tee S', parent: { sku: 'TEE' }, attributes: { size: 'S', color: 'red' } },
    { sku: 'LATE', name: 'Late', parent: { sku: 'NOT-YET' }, attributes: { size: 'M', größe: 1 } },
    { sku: 'LAMP', name: 'Lamp', categories: [{ path: ['Home', 'Lamps'] }] },
    { sku: 'DESK', name: 'Desk lamp', categories: [{ path: ['Home', 'Lamps', 'A/B'] }, { path: ['Lamps'] }] },
  ]
  await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
})

const skusOf = async (query: string) => {
  const { body } = await shop.call(`/v2/products?${query}`)
  return body.results.map(({ sku }: { sku: string }) => sku)
}
const hintOf = async (query: string) => (await shop.call(`/v2/products?${query}`)).headers.get('catalog-hint')
const errorOf = async (path: string, body: object, method = 'POST') =>
  (await shop.call(`/v2${path}`, { method, body })).body.errors[0].message

describe('filters by SKU of the parent and by category path', () => {
  test.each([
    ['parent_sku=TEE', ['TEE-S']],
    ['parent_sku=NOT-YET', ['LATE']],
    ['parent_sku=NOBODY', []],
    ['state=archived', []],
    ['category_path=Home/Lamps', ['LAMP']],
    ['category_path=Lamps', ['DESK']],
    ['category_path=Home/Lamps/A%5C/B', ['DESK']],
    ['category_path=Home/Desks', []],
    ['category_path=Home', []],
    ['category_path__under=Home', ['LAMP', 'DESK']],
    ['category_path__under=Home/Lamps&status=pending&ordering=-sku', ['LAMP', 'DESK']],
    ['category_path=Home/Lamps&category=987654321', []],
  ])('%s', async (query, skus) => {
    expect(await skusOf(query)).toEqual(skus)
  })

  test('also apply to exports and facets', async () => {
    const { text } = await shop.call('/v2/products/export?category_path__under=Home&format=csv&columns=sku')
    expect(text).toBe('sku\nLAMP\nDESK\n')
    const facets = await shop.call('/v2/products/facets?facets=color&parent_sku=TEE')
    expect([facets.status, facets.text]).toEqual([200, expect.stringContaining('red')])
  })
})

describe('a list without results', () => {
  test('suggests the attribute that was meant, unless there are results or the name is known', async () => {
    expect(await hintOf('attributes__colour=red')).toBe('no attribute "colour"; did you mean "color"?')
    expect(await hintOf('attributes__color=blue')).toBeNull()
    expect(await hintOf('attributes__color=red')).toBeNull()
    expect(await hintOf('attributes__entirely_different=1')).toBeNull()
    expect(await hintOf(`attributes[${encodeURIComponent('größen')}]=1`)).toBe(
      'no attribute "gr\\u00f6\\u00dfen"; did you mean "gr\\u00f6\\u00dfe"?',
    )
  })
})

test('a page that is smaller than requested has a hint', async () => {
  for (const list of ['/products', '/categories', '/prompts', '/proposals', '/webhooks', '/attributes']) {
    const large = await shop.call(`/v2${list}?page_size=5000`)
    const usual = await shop.call(`/v2${list}?page_size=500`)
    expect([large.status, large.headers.get('catalog-hint')]).toEqual([
      200,
      'The maximum page_size is 500, so 500 was used.',
    ])
    expect(usual.headers.get('catalog-hint')).toBeNull()
  }
})

test('common mistakes in a request get a suggestion', async () => {
  const product = { sku: 'H', name: 'H' }
  expect(await errorOf('/products', { ...product, media: ['https://a.example/1.jpg'] })).toContain(
    'write {"url": "https://a.example/1.jpg"}',
  )
  expect(await errorOf('/products', { ...product, parent: 'TEE' })).toContain('write {"sku": "TEE"}')
  expect(await errorOf('/products', { ...product, images: [] })).toContain('did you mean "media"?')
  expect(await errorOf('/products', { ...product, status: 'draft' })).toContain('write "pending"')
  expect(await errorOf('/products', { ...product, status: 'Active' })).toContain('write "active"')
  expect(await errorOf('/webhooks', { url: 'https://a.example/', events: ['product.*'] })).toContain(
    'did you mean "types"?',
  )
  expect((await shop.call('/v2/products/5/variants')).body).toMatchObject({
    code: 'unknown_route',
    detail: expect.stringContaining('GET /products?parent='),
  })
})
