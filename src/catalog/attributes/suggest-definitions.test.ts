import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const suggestions = async (query = '') => (await shop.call(`/v2/attribute-suggestions${query}`)).body
const push = (products: object[]) => shop.call('/v2/products/bulk', { method: 'POST', body: products })
type Suggestion = { name: string; definition: { type: string } }

test('a definition is suggested from the products', async () => {
  await push(
    Array.from({ length: 30 }, (_, index) => ({
      sku: `S-${index}`,
      name: 'Suggested',
      attributes: {
        weight: index / 2,
        new: index % 2 === 0,
        color: ['Red', 'Green', 'Blue'][index % 3],
        released: index === 0 ? '2026-01-31T09:30:00Z' : `2026-01-${10 + (index % 20)}`,
        manual: `https://example.com/${index}`,
        serial: `N${index}`,
        ...(index < 4 && { rare: 'x' }),
        ...(index < 20 && { mixed: index % 2 === 0 ? 5 : 'five' }),
      },
    })),
  )
  const { products, looked_at, results } = await suggestions()
  expect([products, looked_at]).toEqual([30, 30])
  expect(results.map(({ name, definition: { type } }: Suggestion) => [name, type])).toEqual([
    ['color', 'choice'],
    ['manual', 'url'],
    ['new', 'boolean'],
    ['released', 'date'],
    ['serial', 'text'],
    ['weight', 'number'],
    ['mixed', 'text'],
    ['rare', 'text'],
  ])
  const [color] = results
  expect(color).toMatchObject({
    products: 30,
    types: { text: 30, number: 0, boolean: 0, several: 0 },
    values: [
      { value: 'Blue', products: 10 },
      { value: 'Green', products: 10 },
      { value: 'Red', products: 10 },
    ],
    distinct: 3,
    definition: { mode: 'warn', allowed: ['Blue', 'Green', 'Red'], multiple: false },
  })
  expect(results[4].values).toHaveLength(10)
  expect(results[6].types).toEqual({ text: 10, number: 10, boolean: 0, several: 0 })
})

test('a suggestion can be created unchanged, and defined attributes are no longer suggested', async () => {
  await push([{ sku: 'A', name: 'A', attributes: { size: 1, note: 'x'.repeat(500) } }])
  const { results } = await suggestions()
  expect(results[0].values[0].value).toBe('x'.repeat(100))
  const attributes = results.map(({ definition }: Suggestion) => definition)
  const set = await shop.call('/v2/attributes', { method: 'PUT', body: { attributes } })
  expect([set.status, set.body.created]).toEqual([200, 2])
  expect((await suggestions()).results).toEqual([])
  expect((await suggestions('?all=true')).results).toEqual(results)
})

test('a list of values makes the definition accept several values', async () => {
  await push([{ sku: 'L', name: 'L', attributes: { sizes: [1, 2, 2] } }])
  expect((await suggestions()).results[0]).toMatchObject({
    types: { number: 0, several: 1 },
    values: [
      { value: 1, products: 1 },
      { value: 2, products: 1 },
    ],
    definition: { type: 'number', multiple: true },
  })
})

test('of very many products, an even sample is checked, and the response has its size', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  await push([{ sku: 'FIRST', name: 'First', attributes: { half: 'low' } }])
  await service.database.transaction((tx) =>
    tx.query(sql`
      insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version, attributes)
      select ${shop.project}, 'P-' || n, 'Many', 'many', 1, '{}', 1,
             jsonb_build_object('half', case when n <= 10500 then 'low' else 'high' end)
      from generate_series(1, 21000) as n`),
  )
  const { products, looked_at, results } = await suggestions()
  expect([products, looked_at]).toEqual([21_001, 20_000])
  const [low, high] = results[0].values.map(({ products }: { products: number }) => products)
  expect(Math.abs(low - high)).toBeLessThan(100)
})
