import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { listLines } from './line-list.sql.ts'

const changes = 10_001
let service: TestService
let shop: Tenant
let proposal: number

// Three products. One statement may read the changes of one product.
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  proposal = await createByProposal(['A', 'B', 'C'])
  await service.database.transaction(async (tx) => {
    await tx.query(sql`
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select ${shop.project}, id, number, now(), 'tester', 'api',
        jsonb_build_object('price', number - 1), jsonb_build_object('price', number)
      from products, generate_series(2, ${changes}) as number where project_id = ${shop.project}`)
    await tx.query(
      sql`update products set version = ${changes}, price = ${changes} where project_id = ${shop.project}`,
    )
  })
})

const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })

/** Creates these products with a proposal, and returns its ID. */
async function createByProposal(skus: string[]): Promise<number> {
  const lines = skus.map((sku) => ({ sku, name: `Product ${sku}`, price: 1 }))
  const { id } = (await send('POST', '/proposals', lines)).body
  expect((await send('POST', `/proposals/${id}/apply`)).body.state).toBe('applied')
  return id
}

test('a page of lines reads the first contents of frequently changed products with several short statements', {
  tags: 'slow',
}, async () => {
  const { status, body } = await send('GET', `/proposals/${proposal}/lines?page_size=500`)
  expect(status).toBe(200)
  expect(body.results.map(({ changes }: { changes: object }) => changes)).toMatchObject(
    ['A', 'B', 'C'].map((sku) => ({
      name: { before: null, after: `Product ${sku}` },
      price: { before: null, after: 1 },
    })),
  )

  const texts: string[] = []
  const counting: Queryable = {
    query(statement) {
      texts.push(statement.text)
      return service.database.query(statement)
    },
  }
  await listLines(counting, shop.project, proposal, {}, { number: 1, size: 500 }, 1_000_000)
  const reads = texts.filter((text) => text.includes('jsonb_object_keys'))
  expect(reads).toHaveLength(3)
})

test('a revert of frequently changed products is prepared in batches that each read few changes', {
  tags: 'slow',
}, async () => {
  const { id } = (await send('POST', `/proposals/${proposal}/revert`)).body
  await untilPrepared(service, id)
  expect((await send('GET', `/proposals/${id}`)).body).toMatchObject({ state: 'open', summary: { total: 3 } })
  const batches = await service.database.query(sql<{ lines: number }>`
    select count(*)::int as lines from proposal_lines where project_id = ${shop.project} and proposal_id = ${id} group by xmin::text`)
  expect(batches.map(({ lines }) => lines)).toEqual([1, 1, 1])
})

test('a page of lines with too many product changes is rejected, with a page size that works', async () => {
  const other = await createByProposal(['D', 'E', 'F'])
  await service.database.query(
    write(
      sql`update products set version = 150000 where project_id = ${shop.project} and sku in ('D', 'E', 'F')`,
    ),
  )
  const { status, body } = await send('GET', `/proposals/${other}/lines?page_size=6`)
  expect([status, body.code]).toEqual([400, 'page_too_large'])
  expect(body.detail).toContain('page_size=1&page=1')
  for (const page of [1, 2, 3]) {
    const { body } = await send('GET', `/proposals/${other}/lines?page_size=1&page=${page}`)
    expect(body.results).toMatchObject([{ changes: { price: { before: null, after: 1 } } }])
  }
})
