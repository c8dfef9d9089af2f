import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { scaled } from '../../../test/faults/scale.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { categoryLimits } from '../../model/limits/categories.ts'
import { sql } from '../../platform/database/sql.ts'
import { countWrongCounts } from '../products/product-counts.sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('tree'))
}, 60_000)

const name = fc.constantFrom('A', 'B', 'C')
const path = fc.array(name, { minLength: 1, maxLength: 4 })
const place = fc.nat(20)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('push' as const),
      sku: fc.nat(5),
      paths: fc.array(path, { maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('name' as const), sku: fc.nat(5), name }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('make' as const), name, below: fc.option(place) }) },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('move' as const), one: place, below: fc.option(place) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('rename' as const), one: place, name }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('merge' as const), one: place, other: place }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), one: place }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cut connections' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function someCategory(shop: Tenant, at: number | null): Promise<number | null> {
  if (at === null) return null
  const rows = await service.database.query(sql<{ id: number }>`
    select id from categories where project_id = ${shop.project} order by id`)
  return rows.length === 0 ? null : (rows[at % rows.length]?.id ?? null)
}

async function take(shop: Tenant, one: Step): Promise<void> {
  const write = async (method: string, address: string, body?: object) => {
    const { status, text } = await shop.call(`/v2${address}`, { method, ...(body && { body }) })
    // A broken connection returns 503. No other 5xx response is allowed.
    expect(status === 503 || status < 500, `${method} ${address}: ${text}`).toBe(true)
  }
  switch (one.act) {
    case 'push': {
      const categories = one.paths.map((names) => ({ path: names }))
      return write('POST', '/products/bulk', [{ sku: `S-${one.sku}`, name: 'Pushed', categories }])
    }
    case 'name':
      return write('PUT', `/products/by-sku/S-${one.sku}`, { name: 'Put', categories: [{ name: one.name }] })
    case 'make':
      return write('POST', '/categories', { name: one.name, parent: await someCategory(shop, one.below) })
    case 'cut connections':
      await service.database.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      return
  }
  const id = await someCategory(shop, one.one)
  if (id === null) return
  if (one.act === 'move')
    return write('PATCH', `/categories/${id}`, { parent: await someCategory(shop, one.below) })
  if (one.act === 'rename') return write('PATCH', `/categories/${id}`, { name: one.name })
  if (one.act === 'delete') return write('DELETE', `/categories/${id}`)
  const into = await someCategory(shop, one.other)
  if (into !== null) return write('POST', `/categories/${id}/merge`, { into })
}

/** Broken connections are noticed one by one, each with a 503 response. */
async function untilCalm(shop: Tenant): Promise<void> {
  for (let calm = 0; calm < 20; calm += 1) {
    const [{ status }] = await Promise.all([
      shop.call('/v2/categories'),
      service.database.query(sql`select 1`).catch(() => {}),
    ])
    if (status === 503) calm = 0
  }
}

type Row = { id: number; name: string; parent_id: number | null; links: number[] }

/** Compares every path, count and list with the rows. */
async function expectTruth(shop: Tenant): Promise<void> {
  expect(await countWrongCounts(service.database)).toBe(0)
  const rows = await service.database.query(sql<Row>`
    select id, name, parent_id, to_json(array(
      select product_id from product_categories as link where link.project_id = category.project_id and category_id = id
    )) as links
    from categories as category where project_id = ${shop.project} order by id`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = (row: Row, depth = 1): string[] => {
    expect(depth, 'a path ends, and is not too deep').toBeLessThanOrEqual(categoryLimits.levels)
    const parent = row.parent_id === null ? undefined : (byId.get(row.parent_id) as Row)
    return parent === undefined ? [row.name] : [...pathOf(parent, depth + 1), row.name]
  }
  const isUnder = (row: Row | undefined, id: number): boolean =>
    row !== undefined && (row.id === id || isUnder(byId.get(row.parent_id ?? 0), id))
  const paths = rows.map((row) => pathOf(row).join('/'))
  expect(new Set(paths).size, 'no two categories have one path').toBe(rows.length)
  const { body: list } = await shop.call('/v2/categories?page_size=100')
  expect(list.results.map((one: { path: string[] }) => one.path.join('/'))).toEqual(paths)
  expect((await shop.call('/v2/categories/tree')).body.count).toBe(rows.length)
  for (const { id, links } of rows.slice(0, 8)) {
    const under = new Set(rows.filter((row) => isUnder(row, id)).flatMap((row) => row.links))
    const { body } = await shop.call(`/v2/categories/${id}`)
    expect([body.products, body.products_under]).toEqual([links.length, under.size])
    const { body: found } = await shop.call(`/v2/products?category__under=${id}`)
    expect(found.results.map((one: { id: number }) => one.id)).toEqual([...under].sort((a, b) => a - b))
  }
}

test('every path is correct and every count exact, despite concurrent moves, merges, pushes and crashes', async () => {
  let wasCut = false
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 8 }), { minLength: 2, maxLength: 6 }),
      async (clients) => {
        const shop = await service.tenant()
        // Also from the previous run: a broken connection can be noticed later.
        wasCut ||= clients.flat().some(({ act }) => act === 'cut connections')
        await Promise.all(
          clients.map(async (steps) => {
            for (const one of steps)
              await take(shop, one).catch((error) => {
                if (!wasCut || error.name === 'AssertionError') throw error
              })
          }),
        )
        await untilCalm(shop)
        await expectTruth(shop)
      },
    ),
    { numRuns: scaled(3, 50), endOnFailure: true },
  )
}, 120_000)
