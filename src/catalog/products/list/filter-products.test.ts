import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { sql } from '../../../platform/database/sql.ts'
import { orderingFields } from '../product-list.schema.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  const products = [
    {
      sku: 'TENT-1',
      name: 'Trekking Tent Alpha',
      price: 199.5,
      attributes: { color: 'red', 'Shoe Size': 42, weight: 2100, foldable: true },
    },
    {
      sku: 'TENT-2',
      name: 'Trekking Tent BETA',
      price: 99,
      attributes: { color: 'Red', 'Shoe Size': '43', weight: '1800.5', foldable: 'true' },
    },
    {
      sku: 'MUG_1',
      name: 'Mug 100% cotton_free',
      price: 10,
      attributes: { color: 'blue', a__gte: 'x', "it's": 'q' },
      inventory: { quantity: 0 },
    },
    {
      sku: 'MUG-1',
      name: 'Mug ÄRMEL Straße',
      attributes: { color: 'dark blue', weight: 'heavy' },
      inventory: { quantity: 3, reserved: 3, low_stock_threshold: 0 },
    },
    {
      sku: 'LAMP',
      name: 'Lamp',
      price: 10.5,
      status: 'active',
      product_type: 'virtual',
      attributes: { __proto__x: 'y' },
      inventory: { quantity: 5, low_stock_threshold: 5 },
    },
  ]
  for (const body of products)
    await shop.call('/api/products', {
      method: 'POST',
      body: { categories: [{ name: body.sku.slice(0, 3) }], ...body },
    })
  await service.database.query(sql`
    update products set created_at = '2026-01-01T00:00:00Z'::timestamptz + id * interval '0 second' + (sku = 'LAMP')::int * interval '1 day'
    where project_id = ${shop.project}`)
})

async function found(query: string): Promise<string> {
  const { status, body } = await shop.call(`/v2/products?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.count).toBe(body.results.length)
  return body.results.map(({ sku }: { sku: string }) => sku).join(' ')
}

describe('fault 17: a filter returns exactly the matching products', () => {
  test.each([
    ['search=tent', 'TENT-1 TENT-2'],
    ['search=TENT%20beta', 'TENT-2'],
    ['search=trekking+tent-1', 'TENT-1'],
    ['search=100%25', 'MUG_1'],
    ['search=_', 'MUG_1'],
    ['search=mug_', 'MUG_1'],
    ['search=%25', 'MUG_1'],
    ['search=%C3%A4rmel', 'MUG-1'],
    ['search=STRA%C3%9FE', 'MUG-1'],
    ['search=a%CC%88rmel', 'MUG-1'],
    ["search='%3B--%5C", ''],
    ['name__icontains=tent', 'TENT-1 TENT-2'],
    ['name__icontains=tent-1', ''],
    ['name__icontains=cotton_free', 'MUG_1'],
    ['name__icontains=Tent%20b', 'TENT-2'],
    ['in_stock=true', 'TENT-1 TENT-2 LAMP'],
    ['in_stock=false', 'MUG_1 MUG-1'],
    ['low_stock=true', 'MUG-1 LAMP'],
    ['low_stock=false', 'TENT-1 TENT-2 MUG_1'],
    ['price__gte=10.5', 'TENT-1 TENT-2 LAMP'],
    ['price__lte=10', 'MUG_1'],
    ['price__gte=10&price__lte=99', 'TENT-2 MUG_1 LAMP'],
    ['created_at__gte=2026-01-02T00:00:00Z', 'LAMP'],
    ['created_at__lt=2026-01-02T00:00:00Z', 'TENT-1 TENT-2 MUG_1 MUG-1'],
    ['updated_at__lt=2020-01-01T00:00:00Z', ''],
    ['updated_at__gte=2020-01-01T00:00:00Z&search=lamp', 'LAMP'],
    ['sku__in=LAMP,MUG_1,nothing', 'MUG_1 LAMP'],
    ['status__in=active,archived', 'LAMP'],
    ['product_type__in=virtual,bundle', 'LAMP'],
    ['id__in=9007199254740991', ''],
    ['category__in=9007199254740991', ''],
    ['attributes__color=red', 'TENT-1'],
    ['attributes__color__in=red,blue', 'TENT-1 MUG_1'],
    ['attributes__color__icontains=BLUE', 'MUG_1 MUG-1'],
    ['attributes__color__icontains=%25', ''],
    ['attributes__weight=2100', 'TENT-1'],
    ['attributes__weight=1800.5', 'TENT-2'],
    ['attributes__weight__gte=1800.5', 'TENT-1 TENT-2'],
    ['attributes__weight__lte=2000', 'TENT-2'],
    ['attributes__foldable=true', 'TENT-1 TENT-2'],
    ['attributes__weight__isnull=true', 'MUG_1 LAMP'],
    ['attributes__weight__isnull=false', 'TENT-1 TENT-2 MUG-1'],
    ['attributes[Shoe Size]=42'.replace(' ', '%20'), 'TENT-1'],
    ['attributes%5BShoe%20Size%5D__gte=42', 'TENT-1 TENT-2'],
    ['attributes%5BShoe%20Size%5D__gte=43', 'TENT-2'],
    ['attributes%5Ba__gte%5D=x', 'MUG_1'],
    ["attributes%5Bit's%5D=q", 'MUG_1'],
    ['attributes__toString=x', ''],
    ['attributes%5B__proto__%5D=x', ''],
    ['attributes%5B__proto__x%5D=y', 'LAMP'],
    ['attributes__color=red&attributes__weight__gte=1', 'TENT-1'],
    ['status=active&type=virtual&search=lamp&price__gte=1', 'LAMP'],
  ])('%s: %s', async (query, skus) => {
    expect(await found(query)).toBe(skus)
  })

  test('category__in returns products of any of the categories, each once', async () => {
    const { body } = await shop.call('/v2/categories')
    const ids = body.results.map(({ id }: { id: number }) => id)
    expect(await found(`category__in=${ids.join(',')}`)).toBe('TENT-1 TENT-2 MUG_1 MUG-1 LAMP')
  })
})

describe('different spellings of a filter are equivalent', () => {
  let ids: number[]
  beforeAll(async () => {
    const { body } = await shop.call('/v2/products')
    ids = body.results.map(({ id }: { id: number }) => id)
  })

  test('a list with commas, repeated, with brackets, and mixed', async () => {
    const [a, b, c] = ids
    for (const query of [
      `id__in=${a},${b},${c}`,
      `id__in=${a}&id__in=${b}&id__in=${c}`,
      `id__in[]=${a}&id__in[]=${b}&id__in[]=${c}`,
      `id__in%5B%5D=${a}&id__in%5B%5D=${b},${c}`,
      `id__in[0]=${a}&id__in[1]=${b}&id__in[2]=${c}`,
      `id__in=${a}&status=pending&id__in[]=${b},${c}`,
    ])
      expect(await found(query), query).toBe('TENT-1 TENT-2 MUG_1')
  })

  test.each([
    ['attributes__color=red', 'TENT-1'],
    ['attributes[color]=red', 'TENT-1'],
    ['attributes%5Bcolor%5D=red', 'TENT-1'],
    ['attributes[color]=red&attributes__color=red', 'TENT-1'],
    ['attributes[color][]=red', 'TENT-1'],
    ['attributes[color][]=red&attributes[color][]=blue', 'TENT-1 MUG_1'],
    ['attributes[color][0]=red&attributes[color][1]=blue', 'TENT-1 MUG_1'],
    ['attributes[color][in]=red,blue', 'TENT-1 MUG_1'],
    ['attributes__color__in=red&attributes__color__in=blue', 'TENT-1 MUG_1'],
    ['attributes__color__in[]=red&attributes__color__in[]=blue', 'TENT-1 MUG_1'],
    ['attributes[color]__in[]=red&attributes[color]__in[]=blue', 'TENT-1 MUG_1'],
    ['status__in[]=active&status__in[]=archived', 'LAMP'],
  ])('%s: %s', async (query, skus) => {
    expect(await found(query)).toBe(skus)
  })

  test.each([
    ['status[]=active', 'status[]', 'unknown_parameter'],
    ['in_stock=true&in_stock=true', 'in_stock', 'repeated_parameter'],
    ['attributes__color=red&attributes[color]=blue', 'attributes[color]', 'repeated_parameter'],
    ['id__in=1&id__in=x', 'id__in', 'invalid_value'],
    ['id__in=1&id__in=', 'id__in', 'invalid_value'],
    [Array.from({ length: 501 }, (_, n) => `id__in=${n}`).join('&'), 'id__in', 'invalid_value'],
  ])('a malformed list is rejected: %.60s', async (query, parameter, code) => {
    const { status, body } = await shop.call(`/v2/products?${query}`)
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ parameter, code, message: expect.any(String) }])
  })

  test('links preserve the spelling, repeat no parameter, and lead through all pages', async () => {
    const [a, b, c] = ids
    for (const query of [
      `id__in=${a}&id__in=${b}&id__in=${c}`,
      `id__in[]=${a}&id__in[]=${b}&id__in[]=${c}`,
      `id__in=${a},${b},${c}`,
      'attributes[foldable]=true&attributes[foldable]=true',
      'attributes__color__in[]=red&attributes__color__in[]=Red&attributes__color__in[]=blue',
    ]) {
      const skus: string[] = []
      let address: string | null = `/v2/products?page_size=1&${query}`
      while (address !== null) {
        const { body } = await shop.call(address)
        skus.push(...body.results.map(({ sku }: { sku: string }) => sku))
        expect(body.next ?? '').not.toMatch(/foldable.*foldable/)
        address = body.next?.slice(service.url.length) ?? null
      }
      expect(skus.join(' '), query).toMatch(/^TENT-1 TENT-2( MUG_1)?$/)
    }
  })
})

test('a copy needs both update times: neither covers the other', async () => {
  const other = await service.tenant()
  const made = ['S', 'R', 'U'].map((sku) => ({ sku, name: sku, inventory: { quantity: 9 } }))
  const { body: push } = await other.call('/v2/products/bulk', { method: 'POST', body: made })
  const [stocked, renamed] = push.results
  await service.database.query(sql`
    update products set updated_at = '2026-01-01T00:00:00Z', inventory_updated_at = '2026-01-01T00:00:00Z'
    where project_id = ${other.project}`)
  const adjustment = { method: 'POST', body: { delta: -1, reason: 'Sold' } }
  await other.call(`/v2/products/${stocked.id}/inventory/adjust`, adjustment)
  await other.call(`/v2/products/${renamed.id}`, { method: 'PATCH', body: { name: 'Another' } })

  const skus = async (query: string) =>
    (await other.call(`/v2/products?${query}`)).body.results.map(({ sku }: { sku: string }) => sku).join('')
  expect(await skus('inventory_updated_at__gte=2026-01-01T00:00:00.001Z')).toBe('S')
  expect(await skus('inventory_updated_at__lt=2026-01-01T00:00:00.001Z')).toBe('RU')
  expect(await skus('inventory_updated_at__lt=2026-01-01T00:00:00Z')).toBe('')
  expect(await skus('updated_at__gte=2026-01-01T00:00:00.001Z')).toBe('R')
  const file = await other.call('/v2/products/export?inventory_updated_at__gte=2026-01-01T00:00:00.001Z')
  expect(JSON.parse(file.text).sku).toBe('S')
})

test('numbers of every size and numeric text are found and compared', async () => {
  const other = await service.tenant()
  const values = {
    A: 9007199254740991,
    B: 1e20,
    C: 5e-324,
    D: 0.12345678901,
    E: '1e3',
    F: ' 7 ',
    G: '+5',
    H: 'heavy',
  }
  for (const [sku, value] of Object.entries(values))
    await other.call('/v2/products', { method: 'POST', body: { sku, name: sku, attributes: { n: value } } })
  const skus = async (query: string) =>
    (await other.call(`/v2/products?${query}`)).body.results.map(({ sku }: { sku: string }) => sku).join('')
  expect(await skus('attributes__n__gte=0')).toBe('ABCDEFG')
  expect(await skus('attributes__n__gte=6')).toBe('ABEF')
  expect(await skus('attributes__n=9007199254740991')).toBe('A')
  expect(await skus('attributes__n=100000000000000000000')).toBe('B')
  expect(await skus('attributes__n=0.12345678901')).toBe('D')
})

test('search_in=all also finds words in the descriptions, each in any of them', async () => {
  const tenant = await service.tenant()
  const body = [
    { sku: 'A', name: 'Desk lamp', description: '<p>Brushed BRASS, 40 % wool</p>' },
    { sku: 'B', name: 'Lamp', short_description: 'With a shade of Ärmel_brass' },
    { sku: 'C', name: 'Brass bowl' },
  ]
  await tenant.call('/v2/products/bulk', { method: 'POST', body })
  const skus = async (query: string) =>
    (await tenant.call(`/v2/products?${query}`)).body.results.map(({ sku }: { sku: string }) => sku).join('')
  expect(await skus('search=brass')).toBe('C')
  expect(await skus('search=brass&search_in=name')).toBe('C')
  expect(await skus('search=brass&search_in=all')).toBe('ABC')
  expect(await skus('search=LAMP+brass&search_in=all&ordering=-id')).toBe('BA')
  expect(await skus('search=ärmel_&search_in=all')).toBe('B')
  expect(await skus('search=0+%25&search_in=all')).toBe('A')
  expect(await skus('search_in=all')).toBe('ABC')
  const facets = await tenant.call('/v2/products/facets?facets=status&search=brass&search_in=all')
  expect([facets.status, facets.body.count]).toEqual([200, 3])
  expect((await tenant.call('/v2/products?search=brass&search_in=everything')).status).toBe(400)
})

test('search folds final sigma and both forms of an accent', async () => {
  const other = await service.tenant()
  await other.call('/v2/products', {
    method: 'POST',
    body: { sku: 'G', name: 'ΟΔΟΣΑ İstanbul', attributes: { note: 'Cafe\u0301' } },
  })
  for (const query of [
    'search=ΟΔΟΣ',
    'search=istanbul',
    'attributes__note__icontains=CAFÉ',
    'attributes__note__icontains=cafe\u0301',
  ]) {
    const [name, value = ''] = query.split('=')
    expect((await other.call(`/v2/products?${name}=${encodeURIComponent(value)}`)).body.count, query).toBe(1)
  }
})

describe('an invalid value is named', () => {
  test.each([
    'search=',
    'search=%20%20',
    'name__icontains=',
    'in_stock=yes',
    'price__gte=cheap',
    'price__gte=1e3',
    'created_at__gte=2026-01-01',
    'quality_score__gte=101',
    'id__in=1,x',
    'id__in=1,,2',
    'id__in=',
    'status__in=active,sold',
    'attributes__color__isnull=maybe',
    'attributes__weight__gte=heavy',
    'attributes__color=red&attributes[color]=blue',
    'expand=everything',
    'attributes__color__contains=red',
    'attributes__weight__lt=3',
    'price__gte=-5',
    'created_at__gte=2026-02-30T00:00:00Z',
    'created_at__gte=0000-01-01T00:00:00Z',
    'updated_at__lt=9999-12-31T23:59:59-23:59',
    'attributes=red',
    'attribute__color=red',
  ])('%s: 400', async (query) => {
    const { status, body } = await shop.call(`/v2/products?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
    expect(body.errors).toHaveLength(1)
  })
})

describe('expand=detail', () => {
  test('returns details and changes nothing else', async () => {
    const { body } = await shop.call('/v2/products?expand=detail&search=tent&ordering=-price')
    expect([body.count, body.next]).toEqual([2, null])
    for (const item of body.results) expect(item).toEqual((await shop.call(`/v2/products/${item.id}`)).body)
  })

  test('is preserved in the links', async () => {
    const { body } = await shop.call('/v2/products?expand=detail&page_size=2')
    expect(body.next).toBe(`${service.url}/v2/products?expand=detail&page=2&page_size=2`)
  })
})

test('paging in any order returns every product once', { tags: 'slow' }, async () => {
  for (const field of orderingFields) {
    for (const ordering of [field, `-${field}`, `status,-${field === 'status' ? 'id' : field}`]) {
      const seen: string[] = []
      let address: string | null = `/v2/products?ordering=${ordering}&page_size=2`
      while (address !== null) {
        const { body } = await shop.call(address)
        seen.push(...body.results.map(({ sku }: { sku: string }) => sku))
        address = body.next?.slice(service.url.length) ?? null
      }
      expect(seen.toSorted()).toEqual(['LAMP', 'MUG-1', 'MUG_1', 'TENT-1', 'TENT-2'])
    }
  }
})
