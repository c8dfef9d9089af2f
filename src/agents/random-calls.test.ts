import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { scaled } from '../../test/faults/scale.ts'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import { agentScopes, sendMessage } from '../../test/requests/agent-client.ts'
import { changeProject } from '../access/projects/manage-project.ts'
import { issueToken } from '../access/tokens/manage-token.ts'
import { sql } from '../platform/database/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const calls = scaled(50, 10_000)

/** Everything in the project that an agent must not change, and what it must not spend. */
async function digest(project: number): Promise<string> {
  const { database } = service
  const parts = await Promise.all([
    database.query(
      sql`select to_jsonb(products) as row from products where project_id = ${project} order by id`,
    ),
    database.query(sql`select count(*) as history from product_history where project_id = ${project}`),
    database.query(
      sql`select to_jsonb(categories) as row from categories where project_id = ${project} order by id`,
    ),
    database.query(
      sql`select to_jsonb(prompts) as row from prompts where project_id = ${project} order by id`,
    ),
    database.query(sql`select count(*) as runs from runs where project_id = ${project}`),
    database.query(sql`select count(*) as tokens from tokens where project_id = ${project}`),
  ])
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

test('random calls of every tool, with any argument, leave the catalog as it was and spend nothing', {
  tags: 'slow',
}, async () => {
  const owner = await service.tenant()
  const products = ['A', 'B', 'C'].map((sku) => ({ sku, name: `Product ${sku}`, status: 'active', price: 2 }))
  await owner.call('/v2/products/bulk', { method: 'POST', body: products })
  const other = await service.tenant()
  const { body: foreign } = await other.call('/v2/products', {
    method: 'POST',
    body: { sku: 'F', name: 'Foreign' },
  })
  const prompt = { name: 'Titles', prompt_text: 'About {{name}}' }
  const { body: written } = await owner.call('/v2/prompts', { method: 'POST', body: prompt })
  await changeProject(service.database, { name: 'tester' }, owner.project, { rateLimit: 'none' })
  const issued = await issueToken(service.database, { name: 'tester' }, owner.project, {
    scopes: agentScopes,
  })
  const known: number[] = [written.id, foreign.id]
  const send = async (token: string, name: string, args: unknown) => {
    const params = { name, arguments: args }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const response = await sendMessage(service, message, { authorization: `Bearer ${token}` })
    const text = await response.text()
    const proposal = /"state":"open".*?proposals\/(\d+)/.exec(text)?.[1]
    if (proposal !== undefined) known.push(Number(proposal))
    return response.status
  }
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
  // Mostly objects that exist: products, prompts and proposals, of this project and of another one.
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.nat().map((place) => known[place % known.length]) },
    { weight: 1, arbitrary: fc.anything() },
  )
  const line = fc.record({
    sku: fc.constantFrom('A', 'B', 'C', 'F', ''),
    name: fc.oneof(fc.constant('Better name'), fc.string()),
    price: fc.oneof(fc.constant(9), fc.anything()),
  })
  const edit = fc.constantFrom(
    { field: 'price', op: 'multiply', value: 2 },
    { field: 'name', op: 'clear' },
    {},
  )
  const title = fc.string({ minLength: 1, maxLength: 20 })
  const lines = fc.array(line, { minLength: 1, maxLength: 5 })
  const filter = fc.constantFrom('', 'status=active')
  const search = fc.record({ search: fc.string(), page_size: fc.integer() }, { requiredKeys: [] })
  const anything = fc.dictionary(fc.string(), fc.anything({ maxDepth: 2 }))
  const withId = fc.constantFrom('get_product', 'product_history', 'render_prompt', 'prompt_outcomes')
  const ofProposal = fc.constantFrom('get_proposal', 'withdraw_proposal', 'request_apply', 'get_run')
  const anyTool = fc.constantFrom(...names)
  const call = fc.oneof(
    fc.tuple(fc.oneof(withId, ofProposal), fc.record({ id })),
    fc.tuple(fc.constant('propose_changes'), fc.record({ title, lines })),
    fc.tuple(fc.constant('propose_edits'), fc.record({ title, filter, edits: fc.array(edit) })),
    fc.tuple(anyTool, fc.oneof(search, anything)),
    fc.tuple(anyTool, fc.record({ title, lines, id, filter }, { requiredKeys: [] })),
  )
  // So that random calls find a proposal, however few they are.
  const proposing = { title: 'First', lines: [{ sku: 'A', name: 'Better name', price: 9 }] }
  const before = [await digest(owner.project), await digest(other.project)]
  const statuses = new Set<number>()
  await fc.assert(
    // The token of an agent, and one that can write: no tool uses what else it can do.
    fc.asyncProperty(
      fc.constantFrom(issued.token, issued.token, owner.token),
      call,
      async (token, [name, args]) => {
        statuses.add(await send(token, name, args))
      },
    ),
    { numRuns: calls, examples: [[issued.token, ['propose_changes', proposing]]] },
  )
  expect([await digest(owner.project), await digest(other.project)]).toEqual(before)
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
  expect(known.length).toBeGreaterThan(2)
})
