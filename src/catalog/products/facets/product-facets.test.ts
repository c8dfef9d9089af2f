import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { seededRandom } from '../../../../test/seeded-random.ts'
import type { Facet } from './product-facets.schema.ts'

type Line = { sku: string; name: string; status?: string; attributes: Record<string, unknown> }
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

async function shopOf(lines: Line[]): Promise<Tenant> {
  const shop = await service.tenant()
  const { body } = await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  expect(body.summary.created).toBe(lines.length)
  return shop
}

async function facets(shop: Tenant, query: string): Promise<{ count: number; facets: Facet[] }> {
  const { status, body } = await shop.call(`/v2/products/facets?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('facets', () => {
  let shop: Tenant
  beforeAll(async () => {
    const own = [
      { color: 'red', size: 40 },
      { color: ['red', 'blue', 'red'], size: '40' },
      { color: 'blue', size: [39, 40] },
      { color: ['green'], new: true },
      { size: 9 },
    ]
    shop = await shopOf(
      own.map((attributes, index) => ({
        sku: `F-${index}`,
        name: 'Faceted',
        status: index < 3 ? 'active' : 'pending',
        attributes,
      })),
    )
  })

  test('count each value of an attribute, alone or in a list, and the products without the attribute', async () => {
    expect(await facets(shop, 'facets=color,size,nothing')).toEqual({
      count: 5,
      facets: [
        {
          attribute: 'color',
          values: [
            { value: 'blue', products: 2 },
            { value: 'red', products: 2 },
            { value: 'green', products: 1 },
          ],
          count: 3,
          without: 1,
        },
        {
          attribute: 'size',
          values: [
            { value: 40, products: 2 },
            { value: 9, products: 1 },
            { value: 39, products: 1 },
            { value: '40', products: 1 },
          ],
          count: 4,
          without: 1,
        },
        { attribute: 'nothing', values: [], count: 0, without: 5 },
      ],
    })
  })

  test('ignore the filters on their own attribute, and apply all others', async () => {
    const { count, facets: found } = await facets(
      shop,
      'facets=color,size&status=active&attributes__color=red',
    )
    expect(count).toBe(2)
    expect(found).toMatchObject([
      {
        values: [
          { value: 'blue', products: 2 },
          { value: 'red', products: 2 },
        ],
        without: 0,
      },
      {
        values: [
          { value: 40, products: 1 },
          { value: '40', products: 1 },
        ],
        without: 0,
      },
    ])
    const both = 'facets=color,size&attributes__color=red&attributes__size__gte=40&attributes__size__lte=50'
    expect((await facets(shop, both)).facets).toMatchObject([
      {
        values: [
          { value: 'blue', products: 2 },
          { value: 'red', products: 2 },
        ],
        count: 2,
      },
      {
        values: [
          { value: 40, products: 1 },
          { value: '40', products: 1 },
        ],
        count: 2,
      },
    ])
  })

  test('return the requested number of values, and count all values', async () => {
    const { facets: found } = await facets(shop, 'facets=size&values=1')
    expect(found).toMatchObject([{ values: [{ value: 40, products: 2 }], count: 4, without: 1 }])
  })

  test.each([
    ['', 'facets', 'required'],
    ['facets=', 'facets', 'invalid_value'],
    ['facets=a,a', 'facets', 'invalid_value'],
    [`facets=${Array.from({ length: 11 }, (_, n) => `a${n}`)}`, 'facets', 'invalid_value'],
    ['facets=a&values=101', 'values', 'invalid_value'],
    ['facets=a&values=0', 'values', 'invalid_value'],
    ['facets=a&page=2', 'page', 'unknown_parameter'],
    ['facets=a&attributes__color__gte=2026-01-31', 'attributes__color__gte', 'invalid_value'],
  ])('reject ?%.40s', async (query, parameter, code) => {
    const { status, body } = await shop.call(`/v2/products/facets?${query}`)
    expect([status, body.errors]).toEqual([400, [{ parameter, code, message: expect.any(String) }]])
  })

  test('of long texts return at most 64 KiB', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => ({
      sku: `L-${n}`,
      name: 'Long',
      attributes: { text: `${n} ${'x'.repeat(9_000)}` },
    }))
    const [facet] = (await facets(await shopOf(lines), 'facets=text')).facets
    expect([facet?.values.length, facet?.count]).toEqual([7, 20])
  })
})

test('for any products and filters, facets equal a count over every product', { tags: 'slow' }, async () => {
  const chance = seededRandom(7)
  const names = ['color', 'Shoe Size', "it's"]
  const values = ['a', 'b', 'B', '1', 1, 2.5, true, 'ä']
  const value = () =>
    chance.between(0, 2) === 0
      ? Array.from({ length: chance.between(1, 4) }, () => chance.pick(values))
      : chance.pick(values)
  const lines = Array.from({ length: 300 }, (_, n) => ({
    sku: `R-${n}`,
    name: 'Random',
    status: chance.pick(['active', 'pending']),
    attributes: Object.fromEntries(
      names.filter(() => chance.between(0, 3) > 0).map((name) => [name, value()]),
    ),
  }))
  const shop = await shopOf(lines)
  const valuesIn = (line: Line, name: string) => [...new Set([line.attributes[name] ?? []].flat())]
  for (let round = 0; round < 20; round += 1) {
    const chosen = names
      .filter(() => chance.between(0, 1) === 0)
      .map((name) => ({ name, text: String(chance.pick(values)) }))
    const status = chance.pick([undefined, 'active'])
    const query = [
      `facets=${names.map(encodeURIComponent)}`,
      ...chosen.map(
        ({ name, text }) => `attributes%5B${encodeURIComponent(name)}%5D=${encodeURIComponent(text)}`,
      ),
      ...(status === undefined ? [] : [`status=${status}`]),
    ].join('&')
    const matchingProducts = (ignored?: string) =>
      lines.filter(
        (line) =>
          (status === undefined || line.status === status) &&
          chosen.every(
            ({ name, text }) => name === ignored || valuesIn(line, name).map(String).includes(text),
          ),
      )
    const { count, facets: found } = await facets(shop, query)
    expect(count, query).toBe(matchingProducts().length)
    for (const { attribute, values: shown, without, count: different } of found) {
      const counted = matchingProducts(attribute).flatMap((line) => valuesIn(line, attribute))
      const expected = [...new Set(counted)].map((one) => ({
        value: one,
        products: counted.filter((other) => other === one).length,
      }))
      expect(shown, query).toHaveLength(different)
      expect(shown, query).toEqual(expect.arrayContaining(expected))
      expect(different, query).toBe(expected.length)
      expect(without, query).toBe(
        matchingProducts(attribute).filter((line) => !(attribute in line.attributes)).length,
      )
    }
  }
})
