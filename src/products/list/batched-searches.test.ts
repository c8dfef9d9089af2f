import { beforeAll, expect, test, vi } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import type { Queryable } from '../../database/database.ts'
import type { Statement } from '../../database/sql.ts'
import { batchSearches } from './batched-searches.sql.ts'
import type { Search, Term } from './searched-page.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  const body = Array.from({ length: 24 }, (_, n) => ({
    sku: `S-${n}`,
    name: `Lamp number${String(n).padStart(3, '0')}`,
    attributes: { shade: `shade${n % 4}` },
  }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
})

const of = (...terms: Term[]): Search => ({
  projectId: shop.project,
  isLargeProject: false,
  terms,
  ordering: 'id',
  page: { number: 1, size: 20 },
})
const word = (value: string): Term => ({ column: 'search_text', value })
const path = (value: string): Term => ({ column: 'attributes', value })

/** The same database, and how many statements it was asked and had under way at once. */
function counted(): Queryable & { asked: number; most: number } {
  let running = 0
  const counting = {
    asked: 0,
    most: 0,
    async query<Row>(statement: Parameters<typeof service.database.query<Row>>[0]) {
      counting.asked += 1
      running += 1
      counting.most = Math.max(counting.most, running)
      return service.database.query(statement).finally(() => {
        running -= 1
      })
    },
  }
  return counting
}

test('searches of one moment share statements, and each gets what it asked for', async () => {
  const database = counted()
  const read = batchSearches(database)
  const names = Array.from({ length: 24 }, (_, n) => `number${String(n).padStart(3, '0')}`)
  const found = await Promise.all(names.map((name) => read(of(word('%lamp%'), word(`%${name}%`)))))
  for (const [index, { count, items }] of found.entries()) {
    expect(count).toBe(1)
    expect(JSON.parse(items)).toMatchObject({ sku: `S-${index}`, name: `Lamp ${names[index]}` })
  }
  expect(database).toMatchObject({ asked: 3, most: 2 })
})

test('searches of one project leave places to those of another, and to each other when they are done', async () => {
  const projects: unknown[] = []
  const { promise: end, resolve: endAll } = Promise.withResolvers<void>()
  const held: Queryable = {
    async query<Row>(statement: Statement<Row>) {
      projects.push(...(statement.values[0] as unknown[]))
      await end
      return service.database.query(statement)
    },
  }
  const read = batchSearches(held)
  const many = Array.from({ length: 100 }, (_, n) => read(of(word(`%number${n}%`))))
  const other = read({ ...of(word('%number%')), projectId: shop.project + 1 })
  await vi.waitUntil(() => projects.includes(shop.project + 1))
  expect(projects.filter((project) => project === shop.project)).toHaveLength(16)
  endAll()
  expect(await Promise.all([...many, other])).toHaveLength(101)
  expect(projects).toHaveLength(101)
})

test('a search that fails is no fault of those that share its statement', async () => {
  const read = batchSearches(service.database)
  const shades = ['$."shade" == "shade1"', '$."shade" ==', '$."shade" == "shade2"']
  const [one, fault, two] = await Promise.allSettled(shades.map((shade) => read(of(path(shade)))))
  expect(fault).toMatchObject({ status: 'rejected', reason: { message: /syntax error/ } })
  for (const found of [one, two]) expect(found).toMatchObject({ value: { count: 6 } })
})

test('after searches that found very much each has a statement of its own, until they find less', async () => {
  let count = 200_000
  const asked: number[] = []
  const finding: Queryable = {
    async query<Row>({ values }: Statement<Row>) {
      const searches = (values[0] as unknown[]).length
      asked.push(searches)
      return Array.from({ length: searches }, (_, index) => ({ place: index + 1, count, items: '' })) as Row[]
    },
  }
  const read = batchSearches(finding)
  const searchTimes = async (many: number) => {
    await Promise.all(Array.from({ length: many }, (_, n) => read(of(word(`%${n}%`)))))
    return asked.splice(0)
  }
  expect([await searchTimes(1), await searchTimes(1), await searchTimes(3)]).toEqual([[1], [1], [1, 1, 1]])
  count = 100
  for (let times = 0; times < 5; times += 1) await searchTimes(1)
  expect(await searchTimes(9)).toEqual([8, 1])
})
