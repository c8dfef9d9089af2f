import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Statement } from '../../../platform/database/sql.ts'
import { likePattern } from '../../../platform/database/statements/search-text.ts'
import { valuePath } from '../product-filters.ts'
import { batchSearches } from './batch-searches.ts'
import { itemTexts } from './page-form.ts'
import { type Search, selectSearch, type Term } from './searched-page.sql.ts'

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

/** The same database, with the number of statements and of concurrent statements. */
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

test('concurrent searches share statements, and each gets its own results', async () => {
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

/** Values with special characters of arrays, patterns, paths and JSON, and their matches. */
const texts = [
  'lamp',
  'number00',
  '{a,b}',
  '"',
  '\\',
  "o'n",
  '%',
  '_',
  'NULL',
  '',
  'null',
  'true',
  '42',
  'Größe',
  '😀',
  'x'.repeat(200),
]
const anyWord = fc.constantFrom(...texts).map((text) => word(likePattern(text)))
const anyValue = fc.constantFrom(...texts).map((text) => path(valuePath('is "it"', text)))
const anySearch = fc.record({
  terms: fc.oneof(fc.tuple(anyWord), fc.tuple(anyValue), fc.tuple(fc.constant(word('%lamp%')), anyValue)),
  isLargeProject: fc.boolean(),
  ordering: fc.constantFrom('id', '-price,name'),
  page: fc.record({
    number: fc.constantFrom(1, 1, 2, 2 ** 31, 'last' as const),
    size: fc.constantFrom(1, 7, 500),
  }),
})

const kindOf = ({ isLargeProject, ordering, terms }: Omit<Search, 'projectId'>) =>
  JSON.stringify([isLargeProject, ordering, terms.map(({ column }) => column)])

test('searches that share statements find what each finds alone', { tags: 'slow' }, async () => {
  const other = await service.tenant()
  const body = texts.map((text, n) => ({
    sku: `T-${n}`,
    name: `Lamp ${text}`,
    attributes: { 'is "it"': [text, n] },
  }))
  const pushed = await other.call('/v2/products/bulk', { method: 'POST', body })
  expect(pushed.body.summary).toMatchObject({ created: texts.length })
  const database = counted()
  const read = batchSearches(database)
  const searches = fc
    .sample(anySearch, 150)
    .map((search, n) => ({ ...search, projectId: [shop, other][n % 2]?.project as number }))
    .sort((one, next) => kindOf(one).localeCompare(kindOf(next)))
  const together = await Promise.all(searches.map(read))
  expect(database.asked).toBeLessThan(searches.length / 2)
  for (const [index, search] of searches.entries())
    expect([search, together[index]]).toEqual([
      search,
      await selectSearch(service.database, search, itemTexts),
    ])
  expect(together.filter(({ items }) => items !== '').length).toBeGreaterThan(15)
})

test('searches of one project leave slots for other projects, and release their slots', async () => {
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
  await expect.poll(() => projects).toContain(shop.project + 1)
  expect(projects.filter((project) => project === shop.project)).toHaveLength(16)
  endAll()
  expect(await Promise.all([...many, other])).toHaveLength(101)
  expect(projects).toHaveLength(101)
})

test('a search whose statement does not start in time is rejected without a query', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  let held = Promise.resolve()
  const slow: Queryable = {
    async query<Row>({ values }: Statement<Row>) {
      asked += 1
      await held
      return (values[0] as unknown[]).map((_, index) => ({
        place: index + 1,
        count: 400_000,
        items: '',
      })) as Row[]
    },
  }
  const read = batchSearches(slow)
  // From now on each search has its own statement.
  await read(of(word('%much%')))
  const { promise, resolve: end } = Promise.withResolvers<void>()
  held = promise
  const all = Promise.allSettled(Array.from({ length: 20 }, (_, n) => read(of(word(`%${n}%`)))))
  await vi.waitUntil(() => asked === 3)
  vi.advanceTimersByTime(5_001)
  end()
  const states = (await all).map((one) => (one.status === 'fulfilled' ? one.value.count : one.reason.failure))
  expect(states).toEqual([400_000, 400_000, ...Array(18).fill('too_busy')])
  expect(asked).toBe(3)
})

test('a failing search does not fail the searches that share its statement', async () => {
  const read = batchSearches(service.database)
  const shades = ['$."shade" == "shade1"', '$."shade" ==', '$."shade" == "shade2"']
  const [one, failed, two] = await Promise.allSettled(shades.map((shade) => read(of(path(shade)))))
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: /syntax error/ } })
  for (const found of [one, two]) expect(found).toMatchObject({ value: { count: 6 } })
})

test('searches that share a statement with a slow one are read alone before its time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[][] = []
  const hanging: Queryable = {
    async query<Row>(statement: Statement<Row>) {
      const words = statement.values[3] as string[]
      asked.push(words)
      if (words.includes('%slow%')) await new Promise(() => {})
      return service.database.query(statement)
    },
  }
  const read = batchSearches(hanging)
  const found = Promise.all([read(of(word('%number001%'))), read(of(word('%number002%')))])
  const slow = read(of(word('%slow%')))
  await vi.waitUntil(() => asked.length === 1)
  vi.advanceTimersByTime(2_001)
  expect((await found).map(({ count }) => count)).toEqual([1, 1])
  expect(asked).toEqual([
    ['%number001%', '%number002%', '%slow%'],
    ['%number001%'],
    ['%number002%'],
    ['%slow%'],
  ])
  expect(await Promise.race([slow, 'still waiting'])).toBe('still waiting')
})

test('after searches with many matches, each search has its own statement until they match less', async () => {
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
