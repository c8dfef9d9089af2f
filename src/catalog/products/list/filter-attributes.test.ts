import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  const attributes = {
    ONE: { color: 'red', size: 40, released: '2024-01-31', note: 'plain' },
    TWO: {
      color: ['red', 'Sky "Blue"'],
      size: [38, '44.5'],
      released: ['2023-12-31', '2024-06-01T08:00:00Z'],
    },
    THREE: { color: ['blue', 7], size: ['large', true], released: '2024-01-31T23:59:59.5Z' },
    FOUR: { color: '["red"]', size: '41', released: 'unknown', note: ['a'] },
    FIVE: { color: 'ΌΣΟΣ', released: '2024-02-01T00:00:00Z', 'a\\"b\nc': ['x'] },
  }
  await shop.call('/v2/products/bulk', {
    method: 'POST',
    body: Object.entries(attributes).map(([sku, own]) => ({ sku, name: sku, attributes: own })),
  })
  await shop.call('/v2/attributes', { method: 'POST', body: { name: 'released', type: 'date' } })
})

async function found(query: string, path = '/v2/products'): Promise<string> {
  const { status, body } = await shop.call(`${path}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.results.map(({ sku }: { sku: string }) => sku).join(' ')
}

describe('a filter matches if any value of the attribute matches', () => {
  test.each([
    ['attributes__color=red', 'ONE TWO'],
    ['attributes__color=blue', 'THREE'],
    ['attributes__color=7', 'THREE'],
    ['attributes__color=%5B%22red%22%5D', 'FOUR'],
    ['attributes__color=Sky%20%22Blue%22', 'TWO'],
    ['attributes__color__in=red,blue', 'ONE TWO THREE'],
    [`attributes__color__in=${Array.from({ length: 499 }, (_, n) => n + 8).join()},7`, 'THREE'],
    ['attributes__size=44.5', 'TWO'],
    ['attributes__size=true', 'THREE'],
    ['attributes%5Ba%5C%22b%0Ac%5D=x', 'FIVE'],
    ['attributes__color__icontains=BLUE', 'TWO THREE'],
    ['attributes__color__icontains=%22blue%22', 'TWO'],
    ['attributes__color__icontains=red%22', 'FOUR'],
    ['attributes__color__icontains=d%22,%20%22s', ''],
    ['attributes__color__icontains=%CE%BF%CF%83', 'FIVE'],
    ['attributes__size__gte=41', 'TWO FOUR'],
    ['attributes__size__gte=44.6', ''],
    ['attributes__size__lte=38', 'TWO'],
    ['attributes__size__gte=39&attributes__size__lte=40', 'ONE TWO'],
    ['attributes__size__isnull=false', 'ONE TWO THREE FOUR'],
    ['attributes__note__isnull=true', 'TWO THREE FIVE'],
  ])('%.80s: %s', async (query, skus) => {
    expect(await found(query)).toBe(skus)
  })
})

describe('bounds of an attribute that is defined as a date', () => {
  test.each([
    ['gte=2024-01-31', 'ONE TWO THREE FIVE'],
    ['gte=2024-02-01', 'TWO FIVE'],
    ['gte=2024-02-01T00:00:00Z', 'TWO FIVE'],
    ['gte=2024-01-31T00:00:00Z', 'ONE TWO THREE FIVE'],
    ['gte=2024-01-31T23:59:59.5Z', 'TWO THREE FIVE'],
    ['gte=2024-01-31T23:59:59.501Z', 'TWO FIVE'],
    ['gte=2024-06-01T10:00:00%2B02:00', 'TWO'],
    ['gte=2024-06-01T08:00:00.001Z', ''],
    ['lte=2023-12-31', 'TWO'],
    ['lte=2024-01-31', 'ONE TWO THREE'],
    ['lte=2024-01-31T23:59:59Z', 'ONE TWO'],
    ['lte=2024-01-31T23:59:59.5Z', 'ONE TWO THREE'],
    ['lte=2024-02-01T00:00:00Z', 'ONE TWO THREE FIVE'],
  ])('%s: %s', async (bound, skus) => {
    expect(await found(`attributes__released__${bound}`)).toBe(skus)
    expect(await found(`attributes%5Breleased%5D__${bound}`)).toBe(skus)
  })

  test('must be dates, and other attributes reject dates, in the list and in an export', async () => {
    for (const path of ['/v2/products', '/v2/products/export', '/api/products'])
      for (const [query, message] of [
        [
          'attributes__size__gte=2024-01-31',
          'size is not defined as a date; define it first with PUT /attributes',
        ],
        ['attributes__released__gte=2024', 'must be a date such as 2026-01-31'],
      ] as const) {
        const { status, body } = await shop.call(`${path}?${query}`)
        const errors = [
          {
            parameter: query.split('=')[0],
            code: 'invalid_value',
            message: expect.stringContaining(message),
          },
        ]
        expect([status, body.errors]).toEqual([400, errors])
      }
    expect((await shop.call('/v2/products/export?attributes__released__gte=2024-06-01')).text).toMatch(
      /^\{"sku":"TWO"/,
    )
  })

  test.each(['abc', '2024-02-30', '2024-1-1', '12,5'])('cannot be %s', async (text) => {
    const { status, body } = await shop.call(`/v2/products?attributes__released__lte=${text}`)
    expect([status, body.errors[0].message]).toEqual([
      400,
      expect.stringContaining('or a date such as 2026-01-31'),
    ])
  })
})
