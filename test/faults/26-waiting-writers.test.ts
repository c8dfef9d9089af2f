import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { startTestService, type Tenant, type TestService } from '../harness.ts'
import { recordFigures, spread } from './figures.ts'
import { rounds } from './scale.ts'

let service: TestService
let shop: Tenant
let other: Tenant
let ids: number[]
beforeAll(async () => {
  service = await startTestService({ poolSize: 24, statementTimeoutSeconds: 20 })
  shop = await service.tenant()
  other = await service.tenant()
  ids = await createMany(shop, 60)
  await createMany(other, 10)
})

async function createMany(tenant: Tenant, count: number): Promise<number[]> {
  const lines = Array.from({ length: count }, (_, number) => ({ sku: `ROW-${number}`, name: 'A row' }))
  const { body } = await tenant.call('/v2/products/bulk', { method: 'POST', body: lines })
  return body.results.map(({ id }: { id: number }) => id)
}

const patch = (id: number) => shop.call(`/v2/products/${id}`, { method: 'PATCH', body: { price: 5 } })

/** Runs the work while another writer locks forty rows and forty changes wait for them, more than there are connections. */
async function whileWritersWait(work: () => Promise<void>): Promise<Awaited<ReturnType<typeof patch>>[]> {
  const held = ids.slice(0, 40)
  const { responses } = await service.database.transaction(async (tx) => {
    await tx.query(sql`select from products where id = any(${held}::bigint[]) for update`)
    const responses = Promise.all(held.map(patch))
    const waiting = sql<{ count: number }>`
      select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%for no key update%'`
    await expect.poll(async () => (await service.database.query(waiting))[0]?.count).toBeGreaterThan(0)
    await work()
    return { responses }
  })
  return responses
}

/** The slowest of ten concurrent reads of another project. */
async function slowestRead(): Promise<number> {
  const read = async (path: string) => {
    const start = performance.now()
    expect((await other.call(`/v2/${path}`)).status).toBe(200)
    return performance.now() - start
  }
  const paths = ['products', 'products?search=row', 'categories', 'project', 'prompts']
  return Math.max(...(await Promise.all([...paths, ...paths].map(read))))
}

describe('fault 26: while many changes wait for rows', () => {
  test('reads of another project stay fast, and the changes succeed when the rows are free', async (context) => {
    const idle = await slowestRead()
    const slowest: number[] = []
    const responses = await whileWritersWait(async () => {
      // 200 ms on an idle machine. On a busy one, the reads before give the bound.
      const limit = Math.max(1_500, 4 * idle)
      for (const _ of rounds(5, 50, 12)) slowest.push(await slowestRead())
      expect(Math.max(...slowest)).toBeLessThan(limit)
    })
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.price}`))).toEqual(
      new Set(['200 5']),
    )
    const notes = [`Slowest of ten concurrent reads: ${spread(slowest)}`]
    recordFigures(context, {
      tried: responses.length,
      of: 'writers that waited',
      survived: responses.length,
      lost: 0,
      notes,
    })
  })

  test('writes of other rows do not wait, even in the same project', async () => {
    await whileWritersWait(async () => {
      const free = await Promise.all(ids.slice(40).map(patch))
      expect(new Set(free.map(({ status }) => status))).toEqual(new Set([200]))
      const made = await createMany(other, 12)
      expect(made).toHaveLength(12)
      const body = { sku: 'ALONE', name: 'Alone' }
      expect((await other.call('/v2/products', { method: 'POST', body })).status).toBe(201)
    })
  })
})
