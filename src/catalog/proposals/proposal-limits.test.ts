import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object, headers = {}) =>
  shop.call(`/v2${path}`, { method, headers, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'A product', ...body })).body
const detail = async (sku: string) => (await send('GET', `/products/by-sku/${sku}`)).body
const propose = async (lines: object[], query = '') => {
  const { status, body } = await send('POST', `/proposals${query}`, lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const apply = (id: number, body: object = {}) => send('POST', `/proposals/${id}/apply`, body)
const linesOf = async (id: number, query = '') =>
  (await send('GET', `/proposals/${id}/lines${query}`)).body.results
const change = (statement: ReturnType<typeof sql>) =>
  service.database.transaction((tx) => tx.query(statement))

describe('a request for a proposal', () => {
  const edits = [{ field: 'price', op: 'set', value: 2 }]
  /** A proposal whose lines have to be prepared again. */
  const unprepare = (id: number, inSeconds = 0) =>
    change(sql`
      with begun as (
        update proposals set state = 'preparing', origin = 'filter', edits = ${JSON.stringify(edits)}::jsonb,
          prepared = 0, updated = 0, open = 0
        where project_id = ${shop.project} and id = ${id}
      )
      insert into jobs (project_id, kind, key, due_at)
      values (${shop.project}, 'proposal.prepare', ${String(id)}, now() + make_interval(secs => ${inSeconds}))`)

  test('is rejected during the preparation, which waits for locks and continues', async () => {
    await create({ sku: 'P0' })
    const { id } = await propose([{ sku: 'P0', price: 1 }])
    await service.database.transaction(async (tx) => {
      const line = sql`project_id = ${shop.project} and proposal_id = ${id}`
      await tx.query(sql`select from proposal_lines where ${line} for update`)
      await unprepare(id)
      const responses = [
        send('POST', `/proposals/${id}/apply`),
        send('POST', `/proposals/${id}/revert`),
        send('POST', `/proposals/${id}/discard`, { lines: [1] }),
      ]
      for (const { status, body } of await Promise.all(responses))
        expect([status, body.code]).toEqual([409, 'proposal_preparing'])
    })
    await untilPrepared(service, id)
    expect((await apply(id)).body.summary.states.applied).toBe(1)
    expect((await detail('P0')).price).toBe(2)
  })

  test('can discard it during the preparation', async () => {
    await create({ sku: 'P1' })
    const { id } = await propose([{ sku: 'P1', price: 1 }])
    await unprepare(id, 3_600)
    const { status, body } = await send('POST', `/proposals/${id}/discard`)
    expect([status, body.state, body.summary.states]).toMatchObject([200, 'discarded', { discarded: 1 }])
    expect((await apply(id)).body.code).toBe('proposal_closed')
    expect((await linesOf(id)).map(({ state }: { state: string }) => state)).toEqual(['discarded'])
  })

  test('must list existing lines', async () => {
    const { id } = await propose([{ sku: 'U1', name: 'N' }])
    for (const verb of ['apply', 'discard']) {
      const { status, body } = await send('POST', `/proposals/${id}/${verb}`, { lines: [1, 2] })
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer: '/lines/1' })]])
    }
    const many = { lines: Array.from({ length: 10_000 }, () => 1) }
    expect((await send('POST', `/proposals/${id}/discard`, many)).body.state).toBe('discarded')
    expect((await apply(id, many)).body.code).toBe('proposal_closed')
    expect((await apply(id, { lines: [] })).status).toBe(422)
    expect((await apply(id, { lines: [0] })).status).toBe(422)
    expect((await apply(id, { line: [1] })).status).toBe(422)
  })

  test('has a title of one line and at most 200 characters, also for a revert', async () => {
    const titled = (title: string) =>
      send('POST', `/proposals?title=${encodeURIComponent(title)}`, [{ sku: 'T1', name: 'N' }])
    for (const title of ['x'.repeat(201), 'two\nlines', ' ']) expect((await titled(title)).status).toBe(400)
    const { id } = (await titled(`x${'😀'.repeat(199)}`)).body
    await apply(id)
    const { title } = (await send('POST', `/proposals/${id}/revert`)).body
    expect(title).toBe(`Revert: x${'😀'.repeat(191)}`)
  })

  test('reaches only proposals of its own project', async () => {
    const { id } = await propose([{ sku: 'F1', name: 'N' }])
    const other = await service.tenant()
    const responses = await Promise.all([
      other.call(`/v2/proposals/${id}`),
      other.call(`/v2/proposals/${id}/lines`),
      ...['apply', 'discard', 'revert'].map((verb) =>
        other.call(`/v2/proposals/${id}/${verb}`, { method: 'POST', body: {} }),
      ),
    ])
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await other.call('/v2/proposals')).body.count).toBe(0)
  })

  test('writes only the listed lines', async () => {
    const { id } = await propose(['1', '2', '3'].map((number) => ({ sku: `N${number}`, name: 'N' })))
    expect((await apply(id, { lines: [3, 2, 3] })).body).toMatchObject({
      state: 'open',
      summary: { states: { open: 1, applied: 2 } },
    })
    expect((await detail('N1')).status).toBe(404)
    expect((await apply(id)).body.state).toBe('applied')
  })
})

test('mode=create and mode=update reject lines when they are proposed', async () => {
  await create({ sku: 'X1' })
  const lines = [
    { sku: 'X1', name: 'N' },
    { sku: 'X2', name: 'N' },
  ]
  const outcomes = async (query: string) =>
    (await linesOf((await propose(lines, query)).id)).map(({ outcome }: { outcome: string }) => outcome)
  expect(await outcomes('?mode=create')).toEqual(['rejected', 'created'])
  expect(await outcomes('?mode=update')).toEqual(['updated', 'rejected'])
  const failed = await propose(lines.slice(1), '?mode=update')
  expect(failed).toMatchObject({ state: 'failed', summary: { states: { rejected: 1 } } })
  expect((await apply(failed.id)).body.code).toBe('proposal_closed')
})

describe('a line that is no longer valid is rejected with the reason, and its product does not change', () => {
  const rejected = async (id: number) => {
    expect((await apply(id)).body).toMatchObject({
      state: 'partly_applied',
      summary: { states: { rejected: 1 } },
    })
    const [line] = await linesOf(id, '?state=rejected')
    return line.errors[0].code
  }

  test('because of an attribute definition', async () => {
    const own = await service.tenant()
    const call = async (method: string, path: string, body: object) =>
      (await own.call(`/v2${path}`, { method, body })).body
    await call('POST', '/products', { sku: 'W1', name: 'N' })
    const { id } = await call('POST', '/proposals', [{ sku: 'W1', attributes: { width: 'broad' } }])
    await call('PUT', '/attributes', { attributes: [{ name: 'width', type: 'number', mode: 'enforce' }] })
    expect((await call('POST', `/proposals/${id}/apply`, {})).summary.states.rejected).toBe(1)
    const { body } = await own.call(`/v2/proposals/${id}/lines`)
    expect(body.results[0]).toMatchObject({
      state: 'rejected',
      outcome: 'updated',
      errors: [{ pointer: '/attributes/width' }],
    })
  })

  test('because of another variant with its values', async () => {
    const variant = (color: string) => ({ parent: { sku: 'V' }, attributes: { color } })
    await create({ sku: 'V', product_type: 'configurable', variant_axes: ['color'] })
    await create({ sku: 'V1', ...variant('red') })
    const { id } = await propose([{ sku: 'V1', attributes: { color: 'blue' } }])
    await create({ sku: 'V2', ...variant('blue') })
    expect(await rejected(id)).toBe('duplicate_variant')
    expect((await detail('V1')).attributes.color).toBe('red')
  })

  test('because its SKU is taken', async () => {
    await create({ sku: 'T1' })
    const edits = [{ field: 'sku', op: 'append', value: '-NEW' }]
    const { body } = await send('POST', '/proposals/from-filter', { title: 'T', filter: 'sku=T1', edits })
    await untilPrepared(service, body.id)
    await create({ sku: 'T1-NEW' })
    expect(await rejected(body.id)).toBe('duplicate_sku')
    expect((await detail('T1')).version).toBe(1)
  })

  test('because its category no longer exists', async () => {
    await create({ sku: 'C0', categories: [{ name: 'Going' }] })
    const [category] = (await send('GET', '/categories?search=Going')).body.results
    await create({ sku: 'C1' })
    const { id } = await propose([{ sku: 'C1', price: 1, categories: [category.id] }])
    await send('PATCH', `/products/${(await detail('C0')).id}`, { categories: [] })
    expect((await send('DELETE', `/categories/${category.id}`)).status).toBe(204)
    expect(await rejected(id)).toBe('unknown_category')
    expect((await detail('C1')).price).toBe(null)
  })
})

test('a parent and links that are created after the proposal are found by SKU', async () => {
  const { id } = await propose([
    {
      sku: 'LV',
      name: 'N',
      parent: { sku: 'LP' },
      attributes: { color: 'red' },
      links: { related: [{ sku: 'LL' }] },
    },
  ])
  await create({ sku: 'LP', product_type: 'configurable', variant_axes: ['color'] })
  await create({ sku: 'LL' })
  expect((await apply(id)).body.state).toBe('applied')
  const { parent, links } = await detail('LV')
  expect([parent, links.related[0]]).toMatchObject([
    { id: expect.any(Number), sku: 'LP' },
    { id: expect.any(Number), sku: 'LL' },
  ])
})

describe('an Idempotency-Key', () => {
  const twice = async (path: string, body?: object) => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await send('POST', path, body, key)
    const second = await send('POST', path, body, key)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    return first
  }
  const count = async () => (await send('GET', '/proposals')).body.count

  test('creates one proposal from a filter, one revert and one discard', async () => {
    const { id } = await propose([
      { sku: 'I1', name: 'N' },
      { sku: 'I2', name: 'N' },
    ])
    await apply(id, { lines: [1] })
    const before = await count()
    const edits = [{ field: 'price', op: 'set', value: 1 }]
    const made = await twice('/proposals/from-filter', { title: 'T', filter: 'sku=I1', edits })
    expect(made.status).toBe(201)
    expect((await twice(`/proposals/${id}/revert`)).status).toBe(201)
    expect(await count()).toBe(before + 2)
    expect((await twice(`/proposals/${id}/discard`, { lines: [2] })).body.state).toBe('partly_applied')
  })
})

test('a project has at most 1,000 open proposals', async () => {
  const own = await service.tenant()
  await own.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'N' } })
  const post = (path: string, body: object) => own.call(`/v2${path}`, { method: 'POST', body })
  const { body: applied } = await post('/proposals', [{ sku: 'A', price: 1 }])
  await post(`/proposals/${applied.id}/apply`, {})
  await change(sql`
    insert into proposals (project_id, title, origin, state, actor, expires_at, lines, prepared, open)
    select ${own.project}, 'Many', 'api', 'open', 'tester', now() + interval '1 day', 1, 1, 1
    from generate_series(1, 1000)`)
  const edits = [{ field: 'price', op: 'set', value: 1 }]
  const responses = await Promise.all([
    post('/proposals', [{ sku: 'A', price: 2 }]),
    post('/proposals/from-filter', { title: 'T', filter: '', edits }),
    post(`/proposals/${applied.id}/revert`, {}),
  ])
  expect(responses.map(({ body }) => body.code)).toEqual(Array(3).fill('too_many_proposals'))
})

test('console users propose, review and apply under their own name', async () => {
  const user = await consoleUser(service, { projects: [shop.project] })
  const call = (method: string, path: string, body?: object) =>
    user.call(`/console/api/projects/${shop.project}${path}`, { method, ...(body && { body }) })
  const { status, body } = await call('POST', '/proposals?title=Mine', [{ sku: 'H1', name: 'N' }])
  expect([status, body.origin, body.actor]).toEqual([201, 'console', user.email])
  expect((await call('GET', `/proposals/${body.id}/lines`)).body.count).toBe(1)
  expect((await call('POST', `/proposals/${body.id}/apply`, {})).body.state).toBe('applied')
  const { id } = await detail('H1')
  const [entry] = (await send('GET', `/products/${id}/history`)).body.results
  expect(entry).toMatchObject({ actor: user.email, source: 'console' })
  expect((await call('POST', `/proposals/${body.id}/revert`, {})).status).toBe(201)
  const other = await propose([{ sku: 'H2', name: 'N' }])
  expect((await call('POST', `/proposals/${other.id}/discard`, {})).body.state).toBe('discarded')
})
