import { beforeAll, describe, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../../test/database/blocked.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { untilPrepared } from '../../../../test/prepared-proposal.ts'
import { issueToken } from '../../../access/tokens/manage-token.ts'
import { sql } from '../../../platform/database/sql.ts'
import { listEarlierLines } from './line-edit.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'Lamp', ...body })).body
const product = async (id: number) => (await send('GET', `/products/${id}`)).body
const propose = async (lines: object[]): Promise<number> => {
  const { status, body } = await send('POST', '/proposals', lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
const proposal = async (id: number) => (await send('GET', `/proposals/${id}`)).body
const lineOf = async (id: number, line = 1) =>
  (await send('GET', `/proposals/${id}/lines`)).body.results.find(
    (one: { line: number }) => one.line === line,
  )
const edit = (id: number, line: number, patch: object, revision?: number) =>
  send('PATCH', `/proposals/${id}/lines/${line}`, { patch, ...(revision !== undefined && { revision }) })
const apply = (id: number, body: object = {}) => send('POST', `/proposals/${id}/apply`, body)

describe('an edited line', () => {
  test('shows its new changes, score and revision next to the original, and is applied as edited', async () => {
    const { id: productId } = await create({ sku: 'E1', description: 'Old', price: 1 })
    const id = await propose([{ sku: 'E1', description: 'Proposed', price: 2 }])
    expect(await proposal(id)).toMatchObject({ revision: 1 })
    const { status, body } = await edit(id, 1, { description: 'Edited', attributes: { color: 'red' } })
    expect([status, body]).toMatchObject([
      200,
      {
        line: 1,
        state: 'open',
        outcome: 'updated',
        errors: [],
        changes: {
          description: { before: 'Old', after: 'Edited' },
          price: { before: 1, after: 2 },
          'attributes.color': { before: null, after: 'red' },
        },
        original: {
          description: { before: 'Old', after: 'Proposed' },
          price: { before: 1, after: 2 },
        },
      },
    ])
    expect(await lineOf(id)).toEqual(body)
    expect(await proposal(id)).toMatchObject({ revision: 2, state: 'open' })
    expect((await apply(id, { revision: 2 })).body).toMatchObject({ state: 'applied', revision: 2 })
    expect(await product(productId)).toMatchObject({
      ...{ description: 'Edited', price: 2, attributes: { color: 'red' }, version: 2 },
    })
    expect(await lineOf(id)).toMatchObject({ original: { description: { after: 'Proposed' } } })
  })

  test('that gets its original values back is no longer shown as edited', async () => {
    await create({ sku: 'E2', price: 1 })
    const id = await propose([{ sku: 'E2', price: 2 }])
    expect((await edit(id, 1, { price: 3 })).body).toHaveProperty('original')
    expect((await edit(id, 1, { price: 2 })).body).not.toHaveProperty('original')
    expect(await proposal(id)).toMatchObject({ revision: 3 })
  })

  test('that changes nothing any more is unchanged, and the counts are exact', async () => {
    await create({ sku: 'E3', price: 1 })
    const id = await propose([{ sku: 'E3', price: 2 }])
    expect((await edit(id, 1, { price: 1 })).body).toMatchObject({ outcome: 'unchanged', changes: {} })
    expect((await proposal(id)).summary).toMatchObject({
      outcomes: { created: 0, updated: 0, unchanged: 1, rejected: 0 },
      states: { open: 1 },
    })
  })

  test('that a prompt wrote marks only the edited fields, also in the product', async () => {
    const prompt = (await send('POST', '/prompts', { name: 'Edited', prompt_text: 'T' })).body
    const { id: productId } = await create({ sku: 'E4' })
    const provenance = { prompt_id: prompt.id, version_number: '1.0.0', model: 'm-1' }
    const id = await propose([{ sku: 'E4', description: 'By a model', short_description: 'Too', provenance }])
    const { body } = await edit(id, 1, { description: 'By a person' })
    expect(body.provenance).toMatchObject({ description: { edited: true, model: 'm-1' } })
    expect(body.provenance.short_description).not.toHaveProperty('edited')
    await apply(id)
    const written = (await product(productId)).provenance
    expect(written.description).toMatchObject({ edited: true, reviewed_by: expect.any(String) })
    expect(written.short_description).not.toHaveProperty('edited')
  })

  test('with errors is not stored, and the errors have pointers into the patch', async () => {
    await send('POST', '/attributes', { name: 'fit', type: 'choice', allowed: ['slim'], mode: 'enforce' })
    await create({ sku: 'E5', price: 1 })
    const id = await propose([{ sku: 'E5', price: 2 }])
    const before = await lineOf(id)
    for (const [patch, pointer] of [
      [{ price: -1 }, '/patch/price'],
      [{ attributes: { fit: 'wide' } }, '/patch/attributes/fit'],
      [{ parent: { sku: 'NONE-SUCH', id: 1 } }, '/patch/parent'],
      [{ unknown: 1 }, '/patch/unknown'],
      [{}, '/patch'],
    ] as const) {
      const { status, body } = await edit(id, 1, patch)
      expect([status, body.errors[0].pointer], JSON.stringify(body)).toEqual([
        422,
        expect.stringContaining(pointer),
      ])
    }
    expect(await lineOf(id)).toEqual(before)
    expect(await proposal(id)).toMatchObject({ revision: 1 })
  })

  test('of a new product keeps its SKU, and lines that follow it see the edit', async () => {
    const id = await propose([
      { sku: 'E6', name: 'New', price: 1 },
      { sku: 'E6', price: 2 },
      { sku: 'E6-P', name: 'Parent', product_type: 'configurable', variant_axes: ['size'] },
      { sku: 'E6-V', name: 'Variant', parent: { sku: 'E6-P' }, attributes: { size: 'S' } },
    ])
    expect((await edit(id, 1, { sku: 'E7' })).body).toMatchObject({ errors: [{ pointer: '/patch/sku' }] })
    expect((await edit(id, 1, { price: 5 })).body).toMatchObject({ outcome: 'created' })
    const following = (await edit(id, 2, { price: 3, name: 'Newer' })).body
    expect(following).toMatchObject({
      outcome: 'updated',
      product_id: null,
      changes: { price: { before: 1, after: 3 }, name: { before: 'New', after: 'Newer' } },
    })
    expect((await edit(id, 4, { attributes: { size: 'M' } })).body).toMatchObject({ outcome: 'created' })
    expect((await apply(id)).body.summary.states).toMatchObject({ applied: 3, conflict: 1 })
    expect((await send('GET', '/products/by-sku/E6-V')).body).toMatchObject({ attributes: { size: 'M' } })
  })
})

describe('a change that someone else makes', () => {
  test('before the edit, unseen by the editor, is still a conflict when the line is applied', async () => {
    const { id: productId } = await create({ sku: 'C1', price: 1 })
    const id = await propose([{ sku: 'C1', price: 2 }])
    await send('PATCH', `/products/${productId}`, { price: 9 })
    expect((await edit(id, 1, { price: 3 })).body.changes.price).toEqual({ before: 1, after: 3 })
    expect((await apply(id)).body.summary.states).toMatchObject({ conflict: 1 })
    expect(await product(productId)).toMatchObject({ price: 9 })
  })

  test('and that the conflict shows is resolved by editing its field; other fields stay in conflict', async () => {
    const { id: productId } = await create({ sku: 'C2', price: 1, description: 'Old' })
    const id = await propose([{ sku: 'C2', price: 2, description: 'Ours' }])
    await send('PATCH', `/products/${productId}`, { price: 9, description: 'Theirs' })
    await apply(id)
    const first = (await edit(id, 1, { price: 3 })).body
    expect(first).toMatchObject({ state: 'conflict', changes: { price: { before: 9, after: 3 } } })
    expect(Object.keys(first.conflicts)).toEqual(['description'])
    const second = (await edit(id, 1, { description: 'Theirs' })).body
    expect(second).toMatchObject({ state: 'open', errors: [], changes: { price: { before: 9, after: 3 } } })
    expect(second).not.toHaveProperty('conflicts')
    expect(await proposal(id)).toMatchObject({ state: 'open', summary: { states: { open: 1, conflict: 0 } } })
    expect((await apply(id)).body).toMatchObject({ state: 'applied' })
    expect(await product(productId)).toMatchObject({ price: 3, description: 'Theirs' })
  })

  test('after a conflict that was resolved by an edit is a conflict again', async () => {
    const { id: productId } = await create({ sku: 'C3', price: 1 })
    const id = await propose([{ sku: 'C3', price: 2 }])
    await send('PATCH', `/products/${productId}`, { price: 9 })
    await apply(id)
    await edit(id, 1, { price: 3 })
    await send('PATCH', `/products/${productId}`, { price: 10 })
    expect((await apply(id)).body.summary.states).toMatchObject({ conflict: 1 })
    expect((await lineOf(id)).conflicts).toEqual({ price: { base: 9, theirs: 10, ours: 3 } })
  })
})

describe('a line cannot be edited', () => {
  test('once it is applied, discarded or rejected, or if it does not exist', async () => {
    await create({ sku: 'D1', price: 1 })
    const id = await propose([
      { sku: 'D1', price: 2 },
      { sku: 'D2', name: 'Two' },
      { sku: 'D3', price: -1 },
      { sku: 'D4', name: 'Four' },
    ])
    await apply(id, { lines: [1] })
    await send('POST', `/proposals/${id}/discard`, { lines: [2] })
    for (const line of [1, 2, 3])
      expect(await edit(id, line, { price: 5 })).toMatchObject({ status: 409, body: { code: 'line_closed' } })
    expect(await edit(id, 9, { price: 5 })).toMatchObject({ status: 404 })
    expect(await edit(999_999_999, 1, { price: 5 })).toMatchObject({ status: 404 })
    await service.database.query(sql`
      update proposals set expires_at = now() - interval '1 day' where project_id = ${shop.project} and id = ${id}`)
    expect(await edit(id, 4, { price: 5 })).toMatchObject({ status: 409, body: { code: 'proposal_closed' } })
  })

  test('by a token that can only propose, unless it created the proposal', async () => {
    await create({ sku: 'D5', price: 1 })
    const id = await propose([{ sku: 'D5', price: 2 }])
    const { token } = await issueToken(service.database, { name: 'tester' }, shop.project, {
      scopes: ['products:propose'],
    })
    const call = (path: string, method: string, body: object) =>
      service.call(`/v2${path}`, { method, body, token })
    expect(await call(`/proposals/${id}/lines/1`, 'PATCH', { patch: { price: 3 } })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
    const own = await call('/proposals', 'POST', [{ sku: 'D5', price: 4 }] as object)
    const edited = await call(`/proposals/${own.body.id}/lines/1`, 'PATCH', { patch: { price: 3 } })
    expect([edited.status, edited.body.changes]).toMatchObject([200, { price: { after: 3 } }])
  })
})

describe('a revision', () => {
  test('that is not current returns 412, and nothing is applied', async () => {
    const { id: productId } = await create({ sku: 'V1', price: 1 })
    const id = await propose([{ sku: 'V1', price: 2 }])
    await edit(id, 1, { price: 3 })
    for (const revision of [1, 3])
      expect(await apply(id, { revision })).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed' },
      })
    expect([await product(productId), await proposal(id)]).toMatchObject([{ price: 1 }, { state: 'open' }])
    expect(await apply(id, { revision: 2 })).toMatchObject({ status: 200, body: { state: 'applied' } })
  })

  test('in an edit returns 412 if the same line was edited since, and not if another one was', async () => {
    const id = await propose([
      { sku: 'V2', name: 'Two' },
      { sku: 'V3', name: 'Three' },
    ])
    expect(await edit(id, 1, { name: 'First' }, 1)).toMatchObject({ status: 200 })
    expect(await edit(id, 2, { name: 'Other' }, 1)).toMatchObject({ status: 200 })
    expect(await edit(id, 1, { name: 'Second' }, 1)).toMatchObject({ status: 412 })
    expect((await lineOf(id)).changes.name.after).toBe('First')
  })

  test('lets an apply skip a line that is edited after it started, and the edit is kept', async () => {
    const one = await create({ sku: 'V4', price: 1 })
    const two = await create({ sku: 'V5', price: 1 })
    const id = await propose([
      { sku: 'V4', price: 2 },
      { sku: 'V5', price: 2 },
    ])
    // The lock on the product delays the apply after its lines are read.
    const applying = await service.database.transaction(async (tx) => {
      await tx.query(sql`
        select from proposal_lines where project_id = ${shop.project} and proposal_id = ${id} for update`)
      const running = apply(id, { revision: 1 })
      const backend = await backendOf(tx)
      await until(() => isWaitedFor(service.database, backend))
      await tx.query(sql`
        update proposals set revision = 2 where project_id = ${shop.project} and id = ${id}`)
      await tx.query(sql`
        update proposal_lines set patch = '{"price": 7}', changes = '{"price": {"before": 1, "after": 7}}', edited_in = 2
        where project_id = ${shop.project} and proposal_id = ${id} and line = 2`)
      return { running }
    })
    const { body } = await applying.running
    expect(body).toMatchObject({ state: 'open', revision: 2, summary: { states: { open: 1, applied: 1 } } })
    expect([await product(one.id), await product(two.id)]).toMatchObject([{ price: 2 }, { price: 1 }])
    await apply(id)
    expect(await product(two.id)).toMatchObject({ price: 7 })
  })

  test('without which an apply writes the edit that was made while it waited for the line', async () => {
    const one = await create({ sku: 'V6', price: 1 })
    const id = await propose([{ sku: 'V6', price: 2 }])
    const applying = await service.database.transaction(async (tx) => {
      await tx.query(sql`
        update proposal_lines set patch = '{"price": 7}', changes = '{"price": {"before": 1, "after": 7}}', edited_in = 2
        where project_id = ${shop.project} and proposal_id = ${id}`)
      const running = apply(id)
      const backend = await backendOf(tx)
      await until(() => isWaitedFor(service.database, backend))
      return { running }
    })
    expect((await applying.running).body).toMatchObject({ state: 'applied' })
    expect(await product(one.id)).toMatchObject({ price: 7 })
  })

  test('increases once per edit, also if two people edit different fields of a line at the same time', async () => {
    await create({ sku: 'V7', price: 1, description: 'Old' })
    const id = await propose([{ sku: 'V7', price: 2, description: 'New' }])
    const edits = await Promise.all([
      edit(id, 1, { price: 3 }),
      edit(id, 1, { description: 'Newer' }),
      edit(id, 1, { name: 'Desk lamp' }),
    ])
    expect(edits.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await lineOf(id)).changes).toMatchObject({
      price: { after: 3 },
      description: { after: 'Newer' },
      name: { after: 'Desk lamp' },
    })
    expect(await proposal(id)).toMatchObject({ revision: 4 })
  })
})

test('lines of bulk edits and of reverts can be edited, and an edited revert restores the other fields', {
  tags: 'slow',
}, async () => {
  const { id: productId } = await create({
    sku: 'R1',
    price: 1,
    description: 'Old',
    categories: [{ name: 'A' }],
  })
  const edits = [
    { field: 'price', op: 'multiply', value: 2 },
    { field: 'categories', op: 'add_categories', value: [{ name: 'B' }] },
  ]
  const made = await send('POST', '/proposals/from-filter', { filter: 'sku=R1', edits })
  expect(made.status, made.text).toBe(201)
  const bulk = made.body.id
  await untilPrepared(service, bulk)
  await send('PATCH', `/products/${productId}`, { categories: [{ name: 'A' }, { name: 'C' }] })
  expect((await edit(bulk, 1, { description: 'Edited' })).status).toBe(200)
  expect((await apply(bulk)).body).toMatchObject({ state: 'applied' })
  const names = async () => (await product(productId)).categories.map(({ name }: { name: string }) => name)
  expect([await names(), await product(productId)]).toMatchObject([
    ['A', 'C', 'B'],
    { price: 2, description: 'Edited' },
  ])
  const revert = (await send('POST', `/proposals/${bulk}/revert`)).body.id
  await untilPrepared(service, revert)
  expect((await edit(revert, 1, { price: 5 })).body.changes).toMatchObject({
    price: { before: 2, after: 5 },
    description: { before: 'Edited', after: 'Old' },
  })
  await apply(revert)
  expect(await product(productId)).toMatchObject({ price: 5, description: 'Old' })
})

test('each edit emits proposal.updated with the new revision', async () => {
  await create({ sku: 'X1', price: 1 })
  const id = await propose([{ sku: 'X1', price: 2 }])
  await edit(id, 1, { price: 3 })
  const { results } = (await send('GET', '/events?types=proposal.updated&limit=100')).body
  const [event] = results.filter(({ data }: { data: { id: number } }) => data.id === id)
  expect(event.data).toMatchObject({ before: { revision: 1 }, after: { revision: 2 } })
})

test('an edit applies at most 100 earlier lines of its product, and always the one that creates it', async () => {
  const shop = await service.tenant()
  const lines = Array.from({ length: 130 }, (_, index) => ({ sku: 'MANY', name: `Name ${index + 1}` }))
  const { body } = await shop.call('/v2/proposals', { method: 'POST', body: lines })
  const last = { line: 130, product_id: null, sku: 'MANY' }
  const earlier = await listEarlierLines(service.database as never, shop.project, body.id, last)
  expect(earlier.map(({ line }) => line)).toEqual([1, ...Array.from({ length: 99 }, (_, at) => 31 + at)])
  const edit = { method: 'PATCH', body: { patch: { name: 'Edited' } } }
  const edited = await shop.call(`/v2/proposals/${body.id}/lines/130`, edit)
  expect([edited.status, edited.body.changes.name.after]).toEqual([200, 'Edited'])
})
