import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import { sql } from '../platform/database/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

/** `npm run test:faults -- agents` sends 10,000. */
const calls = Number(process.env['AGENT_CALLS'] ?? 300)

async function digest(project: number): Promise<string> {
  const rows = await service.database.query(sql`
    select to_jsonb(products) - 'xmin' as row from products where project_id = ${project} order by id`)
  const others = await service.database.query(sql`
    select count(*) as count from product_history where project_id = ${project}`)
  return createHash('sha256')
    .update(JSON.stringify([rows, others]))
    .digest('hex')
}

test('random calls of every tool, with any argument, leave the catalog as it was', async () => {
  const owner = await service.tenant()
  const products = ['A', 'B', 'C'].map((sku) => ({ sku, name: `Product ${sku}`, status: 'active', price: 2 }))
  await owner.call('/v2/products/bulk', { method: 'POST', body: products })
  const other = await service.tenant()
  const { body: foreign } = await other.call('/v2/products', {
    method: 'POST',
    body: { sku: 'F', name: 'Foreign' },
  })
  const send = async (name: string, args: unknown) =>
    fetch(new URL('/mcp', service.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    })
  const names = [
    ...['catalog_overview', 'search_products', 'get_product', 'product_history', 'count_values'],
    ...['list_prompts', 'render_prompt', 'prompt_outcomes', 'propose_changes', 'propose_edits'],
    ...[
      'get_proposal',
      'withdraw_proposal',
      'request_apply',
      'start_run',
      'get_run',
      'Product A',
      'apply_proposal',
    ],
  ]
  const id = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constant(foreign.id), fc.anything())
  const line = fc.record({
    sku: fc.constantFrom('A', 'B', 'C', 'F', ''),
    name: fc.string(),
    price: fc.anything(),
  })
  const edit = fc.constantFrom(
    { field: 'price', op: 'multiply', value: 2 },
    { field: 'name', op: 'clear' },
    {},
  )
  const args = fc.oneof(
    fc.record({ id }),
    fc.record({ title: fc.string(), lines: fc.array(line, { maxLength: 5 }) }),
    fc.record({
      title: fc.string({ minLength: 1 }),
      filter: fc.constantFrom('', 'status=active'),
      edits: fc.array(edit),
    }),
    fc.record({ search: fc.string(), page_size: fc.integer() }, { requiredKeys: [] }),
    fc.dictionary(fc.string(), fc.anything({ maxDepth: 2 })),
  )
  const before = [await digest(owner.project), await digest(other.project)]
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), args, async (name, given) => {
      const response = await send(name, given)
      statuses.add(response.status)
      await response.arrayBuffer()
    }),
    { numRuns: calls },
  )
  expect([await digest(owner.project), await digest(other.project)]).toEqual(before)
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
}, 600_000)
