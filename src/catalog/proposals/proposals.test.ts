import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'A product', ...body })).body
const patch = (id: number, body: object) => send('PATCH', `/products/${id}`, body)
const shown = async (id: number, query = '') => (await send('GET', `/products/${id}${query}`)).body
const propose = async (lines: object[], query = '') => {
  const { status, body } = await send('POST', `/proposals${query}`, lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const apply = async (id: number, body: object = {}) =>
  (await send('POST', `/proposals/${id}/apply`, body)).body
const discard = async (id: number, body: object = {}) =>
  (await send('POST', `/proposals/${id}/discard`, body)).body
const linesOf = async (id: number, query = '') =>
  (await send('GET', `/proposals/${id}/lines${query}`)).body.results

describe('a proposal', () => {
  test('shows what a push would do, with complete values and scores, and changes nothing', async () => {
    const text = 'A long text. '.repeat(50)
    const product = await create({
      sku: 'P1',
      name: 'Lamp',
      price: 10,
      attributes: { color: 'red', size: 3 },
    })
    const proposal = await propose(
      [
        { sku: 'P1', description: text, price: 12.5, attributes: { color: 'blue', weight: 2 } },
        { sku: 'P2', name: 'New', categories: [{ path: ['Home', 'Lamps'] }], inventory: { quantity: 5 } },
        { sku: 'P1' },
        { sku: 'P3', price: -1 },
      ],
      '?title=Spring',
    )
    expect(proposal).toMatchObject({
      title: 'Spring',
      state: 'open',
      origin: 'api',
      reverts: null,
      reverted_by: null,
      applied_at: null,
      summary: {
        total: 4,
        prepared: 4,
        outcomes: { created: 1, updated: 1, unchanged: 1, rejected: 1 },
        states: { open: 3, applied: 0, rejected: 1, conflict: 0, discarded: 0 },
      },
    })
    const [changed, made, same, wrong] = await linesOf(proposal.id)
    expect(changed).toMatchObject({
      line: 1,
      sku: 'P1',
      product_id: product.id,
      outcome: 'updated',
      state: 'open',
      errors: [],
      changes: {
        description: { before: '', after: text },
        price: { before: 10, after: 12.5 },
        'attributes.color': { before: 'red', after: 'blue' },
        'attributes.weight': { before: null, after: 2 },
      },
      score: { before: product.quality_score.score, after: expect.any(Number) },
    })
    expect(Object.keys(changed.changes)).toHaveLength(4)
    expect(changed.score.after).toBeGreaterThan(changed.score.before)
    expect(made).toMatchObject({
      product_id: null,
      outcome: 'created',
      score: { before: null },
      changes: {
        name: { before: null, after: 'New' },
        categories: { before: null, after: [{ id: null, name: 'Lamps', path: ['Home', 'Lamps'] }] },
        'inventory.quantity': { before: null, after: 5 },
      },
    })
    expect(same).toMatchObject({ outcome: 'unchanged', state: 'open', changes: {} })
    expect(wrong).toMatchObject({ outcome: 'rejected', state: 'rejected', errors: [{ pointer: '/price' }] })
    expect(await shown(product.id)).toEqual(product)
    expect((await send('GET', '/products?sku=P2')).body.count).toBe(0)
    expect((await send('GET', '/categories?search=Lamps')).body.count).toBe(0)
  })

  test('shows the written fields of a line that created a product, without empty fields', async () => {
    const { id } = await propose([{ sku: 'A9', name: 'Made', inventory: { backorders: true } }])
    const before = (await linesOf(id))[0].changes
    await apply(id)
    const { changes } = (await linesOf(id))[0]
    expect(changes).toEqual(before)
    expect(Object.keys(changes).sort()).toEqual(['inventory.backorders', 'inventory.tracked', 'name', 'sku'])
  })

  test('is applied once, and recorded in the history', async () => {
    const product = await create({ sku: 'A1', price: 1, inventory: { quantity: 1 } })
    const { id } = await propose([
      { sku: 'A1', price: 2, inventory: { quantity: 7 } },
      {
        sku: 'A2',
        name: 'Made',
        categories: [{ name: 'Applied' }],
        inventory: { quantity: 3, tracked: false },
      },
      { sku: 'A3' },
    ])
    const applied = await apply(id)
    expect(applied).toMatchObject({
      state: 'applied',
      applied_at: expect.any(String),
      summary: { states: { open: 0, applied: 2, rejected: 1 } },
    })
    expect(await shown(product.id)).toMatchObject({ price: 2, version: 2, inventory: { quantity: 7 } })
    const [entry] = (await send('GET', `/products/${product.id}/history`)).body.results
    expect(entry).toMatchObject({ version: 2, source: 'api', after: { price: 2 } })
    const made = (await send('GET', '/products/by-sku/A2')).body
    expect(made).toMatchObject({
      name: 'Made',
      categories: [{ name: 'Applied' }],
      inventory: { tracked: false, quantity: 3 },
    })
    const [one, other] = await linesOf(id, '?state=applied')
    expect(one).toMatchObject({
      version: 2,
      changes: { price: { before: 1, after: 2 }, 'inventory.quantity': { before: 1, after: 7 } },
    })
    expect(other).toMatchObject({
      product_id: made.id,
      version: 1,
      changes: { name: { before: null, after: 'Made' } },
    })
    expect(await apply(id)).toEqual(applied)
    expect((await shown(product.id)).version).toBe(2)
  })

  test('does not change a product with a conflicting field, and merges with changes to other fields', async () => {
    const [moved, free] = await Promise.all([
      create({ sku: 'C1', price: 1, description: 'Old' }),
      create({ sku: 'C2', price: 1, attributes: { color: 'red', size: 1 } }),
    ])
    const { id } = await propose([
      { sku: 'C1', price: 2, description: 'New' },
      { sku: 'C2', price: 2, attributes: { color: 'blue' } },
    ])
    await patch(moved.id, { price: 5 })
    await patch(free.id, { sku: 'C2-NEW', name: 'Renamed', attributes: { size: 2 } })
    expect(await apply(id)).toMatchObject({
      state: 'partly_applied',
      summary: { states: { applied: 1, conflict: 1, open: 0 } },
    })
    expect(await shown(moved.id)).toMatchObject({ price: 5, description: 'Old' })
    expect(await shown(free.id)).toMatchObject({
      sku: 'C2-NEW',
      name: 'Renamed',
      price: 2,
      attributes: { color: 'blue', size: 2 },
    })
    const [conflict] = await linesOf(id, '?state=conflict')
    expect(conflict).toMatchObject({
      errors: [{ pointer: '/price', code: 'changed_since' }],
      conflicts: { price: { base: 1, theirs: 5, ours: 2 } },
    })
    expect(Object.keys(conflict.conflicts)).toEqual(['price'])
    const { status, body } = await send('POST', `/proposals/${id}/apply`, { overwrite: true })
    expect([status, body.errors[0].pointer]).toEqual([422, '/lines'])
    expect(await apply(id, { lines: [1], overwrite: true })).toMatchObject({ state: 'applied' })
    expect(await shown(moved.id)).toMatchObject({ price: 2, description: 'New' })
  })

  test('does not overwrite stock that has changed since, although stock has no versions', async () => {
    const { id: product, version } = await create({ sku: 'ST1', inventory: { quantity: 10 } })
    const { id } = await propose([{ sku: 'ST1', price: 3, inventory: { quantity: 8 } }])
    await send('POST', `/products/${product}/inventory/adjust`, { delta: -4, reason: 'sold' })
    expect(await apply(id)).toMatchObject({ summary: { states: { conflict: 1 } } })
    expect(await shown(product)).toMatchObject({ version, inventory: { quantity: 6 } })
    const [{ conflicts }] = await linesOf(id)
    expect(conflicts).toEqual({ 'inventory.quantity': { base: 10, theirs: 6, ours: 8 } })
  })

  test('does not remove axes that someone else added to a product that becomes simple', async () => {
    const product = await create({ sku: 'AX', product_type: 'configurable' })
    const { id } = await propose([{ sku: 'AX', product_type: 'simple' }])
    await patch(product.id, { variant_axes: ['color'] })
    await apply(id)
    const [line] = await linesOf(id)
    expect(line.conflicts).toEqual({ variant_axes: { base: [], theirs: ['color'], ours: [] } })
    expect(await shown(product.id)).toMatchObject({ product_type: 'configurable', variant_axes: ['color'] })
    await apply(id, { lines: [1], overwrite: true })
    expect(await shown(product.id)).toMatchObject({ product_type: 'simple', variant_axes: [] })
  })

  test('does not overwrite a product that was created with its SKU since', async () => {
    const { id } = await propose([{ sku: 'D1', name: 'Ours' }])
    const theirs = await create({ sku: 'D1', name: 'Theirs' })
    expect(await apply(id)).toMatchObject({ summary: { states: { conflict: 1 } } })
    expect((await linesOf(id))[0]).toMatchObject({ state: 'conflict', errors: [{ code: 'changed_since' }] })
    expect((await shown(theirs.id)).name).toBe('Theirs')
    await apply(id, { lines: [1], overwrite: true })
    expect((await shown(theirs.id)).name).toBe('Ours')
  })

  test('can be discarded completely or in part, and is then closed', async () => {
    await create({ sku: 'E1' })
    const { id } = await propose([
      { sku: 'E1', price: 2 },
      { sku: 'E2', name: 'N' },
    ])
    expect(await discard(id, { lines: [2] })).toMatchObject({
      state: 'open',
      summary: { states: { discarded: 1 } },
    })
    expect(await apply(id)).toMatchObject({ state: 'partly_applied' })
    const other = await propose([{ sku: 'E3', name: 'N' }])
    expect(await discard(other.id)).toMatchObject({ state: 'discarded' })
    const { status, body } = await send('POST', `/proposals/${other.id}/apply`, {})
    expect([status, body.code]).toEqual([409, 'proposal_closed'])
    const { results } = (await send('GET', '/proposals?state=discarded')).body
    const ids = results.map((one: { id: number }) => one.id)
    expect([ids.includes(other.id), ids.includes(id)]).toEqual([true, false])
  })

  test('applies lines of one product in order, and variants after their parent', async () => {
    const { id } = await propose([
      { sku: 'V-RED', name: 'Red', parent: { sku: 'V' }, attributes: { color: 'red' } },
      { sku: 'V', name: 'Shirt', product_type: 'configurable', variant_axes: ['color'] },
      { sku: 'V-RED', price: 3 },
      { sku: 'V-RED', price: 4 },
    ])
    expect(await apply(id)).toMatchObject({ state: 'applied' })
    const red = (await send('GET', '/products/by-sku/V-RED')).body
    expect(red).toMatchObject({ price: 4, version: 3, parent: { sku: 'V' } })
    expect((await linesOf(id)).map(({ version }: { version: number }) => version)).toEqual([1, 1, 2, 3])
  })
})

describe('a token that can only propose', () => {
  test('never changes the catalog, and discards only its own proposals', async () => {
    const { token } = await issueToken(service.database, { name: 'tester' }, shop.project, {
      scopes: ['products:propose'],
    })
    const call = (method: string, path: string, body?: object) =>
      service.call(`/v2${path}`, { method, token, ...(body && { body }) })
    const foreign = await propose([{ sku: 'T1', name: 'N' }])
    const own = await call('POST', '/proposals', [{ sku: 'T2', name: 'N' }])
    expect(own.status).toBe(201)
    expect((await call('GET', '/products')).status).toBe(200)
    expect((await call('POST', '/products', { sku: 'T3', name: 'N' })).status).toBe(403)
    expect((await call('POST', `/proposals/${own.body.id}/apply`, {})).status).toBe(403)
    expect((await call('POST', `/proposals/${foreign.id}/discard`, {})).status).toBe(403)
    expect((await call('POST', `/proposals/${own.body.id}/discard`, {})).body.state).toBe('discarded')
  })
})
