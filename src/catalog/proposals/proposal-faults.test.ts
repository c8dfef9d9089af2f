import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { structureLimits } from '../../model/limits/products.ts'
import { defaultRuleset } from '../../model/quality/ruleset.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { applyProposal } from './apply-proposal.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const propose = async (lines: object[]) => (await send('POST', '/proposals', lines)).body
const apply = async (id: number, body: object = {}) =>
  (await send('POST', `/proposals/${id}/apply`, body)).body

test('lines after blank lines are applied and discarded by number, and a blank line is not a line', async () => {
  const made = await shop.call('/v2/proposals', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '\n{"sku": "BL-1", "name": "N"}\n\n\n{"sku": "BL-2", "name": "N"}\n',
  })
  const { id, summary } = made.body
  expect(summary.total).toBe(2)
  const blank = await send('POST', `/proposals/${id}/apply`, { lines: [2, 3] })
  expect([blank.status, blank.body.errors[0].pointer]).toEqual([422, '/lines/1'])
  expect((await send('POST', `/proposals/${id}/discard`, { lines: [1] })).status).toBe(422)
  expect((await apply(id, { lines: [2] })).summary.states).toMatchObject({ applied: 1, open: 1 })
  const discarded = await send('POST', `/proposals/${id}/discard`, { lines: [5] })
  expect(discarded.body.summary.states).toMatchObject({ applied: 1, discarded: 1 })
})

// The proposal is open if another request has applied a part of it.
test.each(['applying', 'open'])(
  'repeating an apply that was interrupted after its last line sets the state: %s',
  async (state) => {
    const { id } = await propose([{ sku: `Z-${state}`, name: 'N' }])
    const applied = await apply(id)
    await service.database.transaction((tx) =>
      tx.query(sql`
      update proposals set state = ${state}, applied_at = null where project_id = ${shop.project} and id = ${id}`),
    )
    expect(await apply(id)).toEqual({ ...applied, applied_at: expect.any(String) })
  },
)

test('a batch that is written again counts its variants once', { tags: 'slow' }, async () => {
  const variant = (number: number) => ({
    ...{ sku: `Y-${number}`, name: 'N', parent: { sku: 'Y' } },
    attributes: { color: `${number}` },
  })
  const parent = { sku: 'Y', name: 'N', product_type: 'configurable', variant_axes: ['color'] }
  // The parent can have one more variant.
  const others = Array.from({ length: structureLimits.variants - 1 }, (_, number) => variant(number))
  const pushed = await send('POST', '/products/bulk', [parent, ...others])
  expect(pushed.body.summary.created).toBe(structureLimits.variants)
  const { id } = await propose([variant(structureLimits.variants)])
  let attempts = 0
  const { database } = service
  const duplicateOnce: Database = {
    ...database,
    transaction: (work, limits) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        if (limits?.bulk) attempts += 1
        if (limits?.bulk && attempts === 1) throw Object.assign(new Error('duplicate'), { code: '23505' })
        return result
      }, limits),
  }
  const author = { actor: 'tester', source: 'api', proposal: id } as const
  const push = { projectId: shop.project, author, ruleset: defaultRuleset, mode: 'upsert' } as const
  const applying = {
    push,
    proposalId: id,
    reviewer: 'tester',
    numbers: undefined,
    overwrite: false,
    revision: undefined,
  }
  const { summary } = await applyProposal(duplicateOnce, applying)
  expect([attempts, summary.states.applied]).toEqual([2, 1])
})

test('a line with text that PostgreSQL cannot store is stored as rejected, with its errors', async () => {
  const lines = [
    '{"sku":"X1","variant_axes":{"\\u0000":1}}',
    '{"sku":"X2\\u0000","name":"\\ud800"}',
    '{"sku":"X3","name":"N","\\u0000":1,"\\udfff":1}',
    '{"sku":"X4","name":"N","attributes":{"a\\u0000":[[]]}}',
  ]
  const request = {
    method: 'POST',
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  }
  const { status, body } = await shop.call('/v2/proposals', request)
  expect([status, body.summary.outcomes]).toEqual([201, expect.objectContaining({ rejected: lines.length })])
  const { body: kept } = await shop.call(`/v2/proposals/${body.id}/lines`)
  for (const line of kept.results) expect(line.errors[0].pointer).not.toContain('\0')
})
