import fc from 'fast-check'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../test/database/blocked.ts'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { scaled } from '../../../test/faults/scale.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { productTypes, statuses } from '../../model/fields/product-fields.ts'
import { sql } from '../../platform/database/sql.ts'
import { countWrongCounts, mergeProductCounts, repairCounts } from './product-counts.sql.ts'

let connection: pg.ClientConfig
let service: TestService
beforeAll(async () => {
  connection = await ownDatabase('counts')
  service = await startTestService({}, connection)
}, 60_000)

const state = {
  status: fc.constantFrom(...statuses),
  product_type: fc.constantFrom(...productTypes),
  categories: fc.uniqueArray(fc.constantFrom('Hats', 'Coats', 'Shoes'), { maxLength: 3 }),
}
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('create' as const), ...state }) },
  {
    weight: 6,
    arbitrary: fc.record(
      { act: fc.constant('patch' as const), target: fc.nat(30), ...state },
      { requiredKeys: ['act', 'target'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('put' as const), target: fc.nat(30), ...state }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('push' as const),
      lines: fc.array(fc.record({ target: fc.nat(12), ...state }), { minLength: 1, maxLength: 8 }),
    }),
  },
  // Distant IDs fall into different ranges.
  { weight: 2, arbitrary: fc.record({ act: fc.constant('skip ids' as const), by: fc.nat(150_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('rename' as const), name: fc.constantFrom('Hats', 'Coats') }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('roll back' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cut connections' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('merge' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Content = { status?: string; product_type?: string; categories?: string[] }

const named = ({ categories, ...rest }: Content) => ({
  ...rest,
  ...(categories && { categories: categories.map((name) => ({ name })) }),
})

let made = 0
async function take(shop: Tenant, one: Step): Promise<void> {
  const { database } = service
  const write = (method: string, path: string, body: object) => shop.call(`/v2${path}`, { method, body })
  switch (one.act) {
    case 'create': {
      const { act: _, ...content } = one
      made += 1
      await write('POST', '/products', { sku: `S-${made}`, name: 'Made', ...named(content) })
      return
    }
    case 'patch': {
      const { act: _, target, ...content } = one
      const id = await someProduct(shop, target)
      if (id !== undefined) await write('PATCH', `/products/${id}`, named(content))
      return
    }
    case 'put': {
      const { act: _, target, ...content } = one
      const sku = `put-${target % 5}`
      await write('PUT', `/products/by-sku/${sku}`, { sku, name: 'Put', ...named(content) })
      return
    }
    case 'push': {
      const lines = one.lines.map(({ target, ...content }) => ({
        sku: `put-${target}`,
        name: 'Pushed',
        ...named(content),
      }))
      await write('POST', '/products/bulk', lines)
      return
    }
    case 'skip ids':
      await database.query(
        sql`select setval('products_id_seq', nextval('products_id_seq') + ${one.by}::bigint)`,
      )
      return
    case 'rename':
      await database.query(
        sql`update categories set name = name || '!' where project_id = ${shop.project} and name = ${one.name}`,
      )
      return
    case 'roll back':
      await rollBack(shop)
      return
    case 'cut connections':
      await database.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      return
    case 'merge':
      await mergeProductCounts(database)
  }
}

async function someProduct(shop: Tenant, position: number): Promise<number | undefined> {
  const [row] = await service.database.query(sql<{ id: number }>`
    select id from products where project_id = ${shop.project} order by id offset ${position} limit 1`)
  return row?.id
}

async function rollBack(shop: Tenant): Promise<void> {
  const work = service.database.transaction(async (tx) => {
    await tx.query(
      sql`update products set status = 'archived', product_type = 'grouped' where project_id = ${shop.project}`,
    )
    await tx.query(sql`delete from product_categories where project_id = ${shop.project}`)
    throw new Error('undo')
  })
  await work.catch(() => {})
}

/** Broken connections are noticed one by one, each with a 503 response. */
async function untilCalm(shop: Tenant): Promise<void> {
  for (let calm = 0; calm < 20; calm += 1) {
    const [{ status }] = await Promise.all([
      shop.call('/v2/products'),
      service.database.query(sql`select 1`).catch(() => {}),
    ])
    if (status === 503) calm = 0
  }
}

/** Compares each counted filter with the rows: the count, and the IDs of every page. */
async function expectTruth(shop: Tenant): Promise<void> {
  expect(await countWrongCounts(service.database)).toBe(0)
  const rows = await service.database.query(sql<{
    id: number
    status: string
    product_type: string
    categories: number[]
  }>`
    select id, status, product_type, array(
      select category_id from product_categories as link where link.project_id = product.project_id and product_id = id
    ) as categories
    from products as product where project_id = ${shop.project} order by id`)
  const category = rows.find(({ categories }) => categories.length > 0)?.categories[0] ?? 1
  const filters: [string, (row: (typeof rows)[0]) => boolean][] = [
    ['', () => true],
    ['status=active', ({ status }) => status === 'active'],
    ['status=active&status__in=pending', () => false],
    ['product_type=simple&product_type__in=bundle', () => false],
    ['product_type=bundle', ({ product_type }) => product_type === 'bundle'],
    [
      'status__in=active,archived&product_type__in=simple,virtual',
      ({ status, product_type }) =>
        ['active', 'archived'].includes(status) && ['simple', 'virtual'].includes(product_type),
    ],
    [`category=${category}`, ({ categories }) => categories.includes(category)],
    [
      `category=${category}&status=pending`,
      ({ categories, status }) => categories.includes(category) && status === 'pending',
    ],
  ]
  for (const [query, keeps] of filters) {
    const ids = rows.filter(keeps).map(({ id }) => id)
    expect(await walk(shop, `/v2/products?page_size=5&${query}`), query).toEqual(ids)
    expect(await walk(shop, `/v2/products?page_size=7&ordering=-id&${query}`), query).toEqual(
      ids.toReversed(),
    )
  }
}

async function walk(shop: Tenant, first: string): Promise<number[]> {
  const ids: number[] = []
  let last: unknown[] = []
  for (let address: string | null = first; address !== null; ) {
    const { body, status } = await shop.call(address)
    expect(status).toBe(200)
    ids.push(...body.results.map(({ id }: { id: number }) => id))
    last = body.results
    address = body.next?.slice(service.url.length) ?? null
    if (address === null) expect(body.count).toBe(ids.length)
  }
  expect((await shop.call(`${first}&page=last`)).body.results).toEqual(last)
  return ids
}

describe('the stored counts', () => {
  test('equal count(*), and every page is correct, during concurrent writes', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 8 }), { minLength: 2, maxLength: 8 }),
        async (clients) => {
          const shop = await service.tenant()
          await Promise.all(
            clients.map(async (steps) => {
              // A broken connection returns 503 or fails, as it should. Its write is atomic.
              for (const one of steps)
                await take(shop, one).catch((error) => expect(error.name).not.toBe('AssertionError'))
            }),
          )
          await untilCalm(shop)
          await expectTruth(shop)
        },
      ),
      { numRuns: scaled(2, 50), endOnFailure: true },
    )
  })

  test('are spread over slots during concurrent writes and merged later, and no writer waits', async () => {
    const shop = await service.tenant()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        shop.call('/v2/products', { method: 'POST', body: { sku: `N-${index}`, name: 'New' } }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    await mergeProductCounts(service.database)
    const [split] = await service.database.query(
      sql<{
        count: number
      }>`select count(*) from product_counts where project_id = ${shop.project} and slot > 0`,
    )
    expect(split?.count).toBe(0)
    expect((await shop.call('/v2/products')).body.count).toBe(40)
  })

  test('are merged without the rows that a writer changes meanwhile', { tags: 'slow' }, async () => {
    const shop = await service.tenant()
    const [merge] = await service.database.query(
      sql<{ text: string }>`select pg_get_functiondef('merge_product_counts'::regproc) as text`,
    )
    // This copy waits for a writer between its snapshot and its locks. It does not use the lock of the background job.
    const waitingMerge = (merge?.text ?? '')
      .replace('merge_product_counts', 'waiting_merge')
      .replace(
        'where slot > 0 limit',
        'where slot > 0 and (select pg_advisory_xact_lock(427001598)) is not null limit',
      )
      .replace('4270015', '427001599')
    await service.database.transaction((tx) => tx.script(waitingMerge))
    const own = sql`project_id = ${shop.project} and category_id = 0`
    // The background would merge the rows first.
    const lock = sql`select pg_advisory_lock(4270015)`
    await service.database.session(async (holder) => {
      await holder.query(lock)
      await service.database.transaction((tx) =>
        tx.query(sql`
          insert into product_counts (project_id, category_id, scale, status, range, slot, simple, configurable, virtual, bundle, grouped)
          values (${shop.project}, 0, 11, 'active', 0, 0, 10, 0, 0, 0, 0), (${shop.project}, 0, 11, 'active', 0, 7, 5, 0, 0, 0, 0)`),
      )
      const { merging } = await service.database.transaction(async (tx) => {
        await tx.query(sql`select pg_advisory_xact_lock(427001598)`)
        const backend = await backendOf(tx)
        const merging = service.database.transaction((merge) => merge.query(sql`select waiting_merge()`))
        await until(() => isWaitedFor(service.database, backend))
        await tx.query(sql`update product_counts set simple = simple + 1 where ${own} and slot = 7`)
        return { merging }
      })
      await merging
    })
    const [sum] = await service.database.query(
      sql<{ simple: number }>`select sum(simple)::int as simple from product_counts where ${own}`,
    )
    expect(sum?.simple).toBe(16)
    await service.database.transaction((tx) => tx.query(sql`delete from product_counts where ${own}`))
  })

  test('are checked by the doctor, which repairs them on request', { tags: 'slow' }, async () => {
    const shop = await service.tenant()
    const body = { sku: 'D-1', name: 'Counted', categories: [{ name: 'Doctored' }] }
    await shop.call('/v2/products', { method: 'POST', body })
    await service.database.transaction(async (tx) => {
      await tx.script('set local session_replication_role = replica')
      await tx.query(sql`update products set status = 'active' where project_id = ${shop.project}`)
    })
    const { catalog } = commandRunner({ DATABASE_URL: connectionUrl(connection) })
    const counts = async (...args: string[]) => {
      const { code, stdout } = await catalog(['doctor', '--json', ...args])
      const checks = JSON.parse(stdout).checks as { check: string; detail: string }[]
      return [code, checks.find(({ check }) => check === 'counts')?.detail]
    }
    expect(await counts()).toEqual([1, '9 stored counts and category links do not match the products'])
    expect(await counts('--repair')).toEqual([0, expect.stringContaining('fixed 9 stored counts')])
    expect(await counts()).toEqual([0, expect.stringContaining('match the products')])
    await expectTruth(shop)
    const wrongly = [
      sql`update product_categories set status = 'archived' where project_id = ${shop.project}`,
      sql`delete from product_categories where project_id = ${shop.project}`,
    ]
    for (const statement of wrongly) {
      await service.database.transaction(async (tx) => {
        await tx.script('set local session_replication_role = replica')
        await tx.query(statement)
      })
      expect(await service.database.transaction(repairCounts)).toBeGreaterThan(0)
      await expectTruth(shop)
    }
  })
})
