import { beforeAll, expect, inject, test } from 'vitest'
import { databaseProxy } from './database/database-proxy.ts'
import { startTestService, type Tenant, type TestResponse } from './harness.ts'
import { type WireCount, wireCounter } from './requests/wire-count.ts'

const wire = wireCounter()
let shop: Tenant
let product: number
let created = 0
/** The same project, with responses in memory. */
let cached: Tenant['call']

beforeAll(async () => {
  const { connection } = await databaseProxy(inject('connection'), wire.listen)
  const service = await startTestService({ cacheMegabytes: 0 }, connection)
  const caching = await startTestService({}, connection)
  shop = await service.tenant()
  await push(lines(100, 'First'))
  cached = (path) => caching.call(path, { token: shop.token })
  product = (await shop.call('/v2/products?sku=L-1')).body.results[0].id
})

const post = (path: string, body: unknown, method = 'POST') => shop.call(path, { method, body })
const push = (body: unknown[]) => post('/v2/products/bulk', body)
const lines = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({
    sku: `L-${index}`,
    name: `${name} ${index}`,
    price: index,
    attributes: { color: 'red' },
    categories: [{ name: 'Lamps' }],
  }))

const requests: [name: string, send: () => Promise<TestResponse>, cost: WireCount][] = [
  ['a detail', () => shop.call(`/v2/products/${product}`), { roundTrips: 2, statements: 2, parsed: 0 }],
  [
    'a page by status',
    () => shop.call('/v2/products?status=active&page=1'),
    { roundTrips: 2, statements: 2, parsed: 0 },
  ],
  ['a later page', () => shop.call('/v2/products?page=3'), { roundTrips: 2, statements: 2, parsed: 0 }],
  [
    'a page by price',
    () => shop.call('/v2/products?ordering=-price&page=2'),
    { roundTrips: 2, statements: 2, parsed: 1 },
  ],
  ['a search', () => shop.call('/v2/products?search=fir'), { roundTrips: 2, statements: 2, parsed: 0 }],
  [
    'an attribute',
    () => shop.call('/v2/products?attributes__color=red'),
    { roundTrips: 2, statements: 2, parsed: 0 },
  ],
  [
    'another filter',
    () => shop.call('/v2/products?price__lte=5'),
    { roundTrips: 2, statements: 2, parsed: 1 },
  ],
  [
    'a create',
    () => post('/v2/products', { sku: `N-${created++}`, name: 'New' }),
    { roundTrips: 2, statements: 2, parsed: 0 },
  ],
  [
    'a change',
    () => post(`/v2/products/${product}`, { price: created++ }, 'PATCH'),
    { roundTrips: 3, statements: 3, parsed: 0 },
  ],
  [
    'a change of stock',
    () => post(`/v2/products/${product}`, { inventory: { quantity: created++ } }, 'PATCH'),
    { roundTrips: 3, statements: 3, parsed: 0 },
  ],
  [
    'a stock adjustment',
    () => post(`/v2/products/${product}/inventory/adjust`, { delta: 1, reason: 'Delivery' }),
    { roundTrips: 2, statements: 2, parsed: 0 },
  ],
  [
    'a push of 100 changed lines',
    () => push(lines(100, `Changed ${created++}`)),
    { roundTrips: 9, statements: 10, parsed: 2 },
  ],
  [
    'a push of 100 unchanged lines',
    () => push(lines(100, `Changed ${created - 1}`)),
    { roundTrips: 8, statements: 9, parsed: 2 },
  ],
]

test('of 40 concurrent changes of one product, fewer than ten need a transaction, also after another write', async () => {
  const { id } = (await post('/v2/products', { sku: 'BUSY', name: 'Busy' })).body
  wire.takeSent()
  const changes = Array.from({ length: 40 }, (_, index) =>
    post(
      `/v2/products/${id}`,
      index === 10 ? { categories: [{ name: 'Lamps' }] } : { price: index },
      'PATCH',
    ),
  )
  for (const { status } of await Promise.all(changes)) expect(status).toBe(200)
  expect(transactionsOf(wire.takeSent()).length).toBeLessThan(10)
})

test('stock adjustments that are not possible need no transaction', async () => {
  const { id } = (await post('/v2/products', { sku: 'SOLD', name: 'Sold', inventory: { quantity: 5 } })).body
  wire.takeSent()
  const sales = Array.from({ length: 20 }, () =>
    post(`/v2/products/${id}/inventory/adjust`, { delta: -1, reason: 'Sold' }),
  )
  const statuses = (await Promise.all(sales)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array(5).fill(200), ...Array(15).fill(409)])
  expect(transactionsOf(wire.takeSent())).toEqual([])
})

function transactionsOf(statements: string[]): string[] {
  return statements.filter((text) => text.includes('begin'))
}

const hit: WireCount = { roundTrips: 1, statements: 1, parsed: 0 }
const stored: [name: string, path: () => string][] = [
  ['a detail', () => `/v2/products/${product}`],
  ['a list', () => '/v2/products?status=active&page=1'],
  ['a search', () => '/v2/products?search=fir'],
  ['facets', () => '/v2/products/facets?facets=color'],
]

async function costOf(send: () => Promise<TestResponse>): Promise<WireCount> {
  const before = wire.count()
  const response = await send()
  expect(response.status, response.text).toBeLessThan(300)
  const after = wire.count()
  return {
    roundTrips: after.roundTrips - before.roundTrips,
    statements: after.statements - before.statements,
    parsed: after.parsed - before.parsed,
  }
}

test.each(requests)(
  '%s always takes the exact number of statements, plans and round trips',
  async (_, send, cost) => {
    // The first request of a project also reads what the service caches, such as quality rules.
    await send()
    wire.takeSent()
    const costs = [await costOf(send), await costOf(send), await costOf(send)]
    expect(costs, wire.takeSent().join('\n')).toEqual([cost, cost, cost])
  },
)

test.each(stored)('%s from memory takes one statement', async (_, path) => {
  const send = () => cached(path())
  // Changes of the tests before get their numbers, then the response is stored.
  await expect.poll(() => costOf(send)).toEqual(hit)
  expect([await costOf(send), await costOf(send)]).toEqual([hit, hit])
})

test('without memory, no request reads what has changed', async () => {
  wire.takeSent()
  await shop.call(`/v2/products/${product}`)
  expect(wire.takeSent().join('\n')).not.toMatch(/event_feed|event_outbox/)
  await cached(`/v2/products/${product}`)
  expect(wire.takeSent().join('\n')).toMatch(/event_feed/)
})

test('a detail that is not in memory takes as many statements as without memory', async () => {
  await cached('/v2/products/0')
  const found = await Promise.all([1, 2, 3].map((place) => shop.call(`/v2/products?sku=L-${place + 10}`)))
  for (const { body } of found)
    expect(await costOf(() => cached(`/v2/products/${body.results[0].id}`))).toEqual({
      roundTrips: 2,
      statements: 2,
      parsed: 0,
    })
})
