import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { untilPrepared } from '../../../../test/prepared-proposal.ts'
import { proposeEdits } from './propose-edits.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const push = (lines: object[]) => send('POST', '/products/bulk', lines)
const propose = (filter: string, edits: object[]) => send('POST', '/proposals/from-filter', { filter, edits })
const prepared = async (id: number) => {
  await untilPrepared(service, id)
  return (await send('GET', `/proposals/${id}`)).body
}
const linesOf = async (id: number) => (await send('GET', `/proposals/${id}/lines?page_size=500`)).body.results
const detail = async (sku: string) => (await send('GET', `/products/by-sku/${sku}`)).body

test('edits of all matching products become lines, and applying the proposal writes them', async () => {
  await push([
    {
      sku: 'F1',
      name: 'Chair',
      price: 19.99,
      status: 'active',
      attributes: { color: 'red' },
      categories: [{ name: 'Old' }, { name: 'Kept' }],
    },
    { sku: 'F2', name: 'Table', price: null, status: 'active', categories: [{ name: 'Kept' }] },
    { sku: 'F3', name: 'Bench', price: 5, status: 'inactive' },
  ])
  const { status, body, headers } = await propose('status=active', [
    { field: 'price', op: 'multiply', value: 1.1 },
    { field: 'name', op: 'append', value: ' (new)' },
    { field: 'attributes.color', op: 'replace', value: { find: 'red', with: 'blue' } },
    { field: 'categories', op: 'add_categories', value: [{ path: ['Sale', 'Spring'] }] },
    { field: 'categories', op: 'remove_categories', value: [{ name: 'Old' }] },
  ])
  expect([status, body.state, body.origin, body.summary.total]).toEqual([201, 'preparing', 'filter', 2])
  expect(headers.get('location')).toMatch(new RegExp(`/v2/proposals/${body.id}$`))
  expect(await prepared(body.id)).toMatchObject({
    state: 'open',
    summary: { prepared: 2, outcomes: { updated: 2 }, states: { open: 2 } },
  })
  const [chair, table] = await linesOf(body.id)
  expect(chair).toMatchObject({
    sku: 'F1',
    changes: {
      price: { before: 19.99, after: 21.99 },
      name: { before: 'Chair', after: 'Chair (new)' },
      'attributes.color': { before: 'red', after: 'blue' },
      categories: {
        before: [{ name: 'Old' }, { name: 'Kept' }],
        after: [{ name: 'Kept' }, { id: null, name: 'Spring', path: ['Sale', 'Spring'] }],
      },
    },
  })
  expect(Object.keys(table.changes).sort()).toEqual(['categories', 'name'])
  // Categories are added to and removed from the list at the time of the apply.
  await push([{ sku: 'F2', categories: [{ name: 'Other' }, { name: 'Old' }] }])
  expect((await send('POST', `/proposals/${body.id}/apply`, {})).body).toMatchObject({ state: 'applied' })
  expect(await detail('F1')).toMatchObject({
    price: 21.99,
    name: 'Chair (new)',
    attributes: { color: 'blue' },
  })
  const names = async (sku: string) =>
    (await detail(sku)).categories.map(({ name }: { name: string }) => name)
  expect(await names('F1')).toEqual(['Kept', 'Spring'])
  expect(await names('F2')).toEqual(['Other', 'Spring'])
  expect((await detail('F3')).name).toBe('Bench')
})

test('products that an edit cannot change become rejected lines, and SKU changes are followed and stay unique', async () => {
  await push([
    { sku: 'G1', name: 'x'.repeat(250) },
    { sku: 'G2', name: 'Fits' },
    { sku: 'G3-X', name: 'In the way' },
    { sku: 'G3', name: 'Wants it' },
  ])
  const long = await propose('sku__in=G1,G2', [{ field: 'name', op: 'append', value: ' longer' }])
  await prepared(long.body.id)
  expect((await linesOf(long.body.id)).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'rejected',
    'updated',
  ])
  const { body } = await propose('sku__in=G2,G3', [{ field: 'sku', op: 'append', value: '-X' }])
  await prepared(body.id)
  const [free, taken] = await linesOf(body.id)
  expect([free.outcome, taken.outcome, taken.errors[0].code]).toEqual([
    'updated',
    'rejected',
    'duplicate_sku',
  ])
  expect((await send('POST', `/proposals/${body.id}/apply`, {})).body.state).toBe('applied')
  expect((await detail('G2-X')).name).toBe('Fits')
})

test('edits that cannot be proposed are rejected immediately', async () => {
  const edit = [{ field: 'price', op: 'set', value: 1 }]
  const rejected = await Promise.all(
    [
      propose('statu=active', edit),
      propose('status=active&page=2', edit),
      propose('sku=NOBODY', edit),
      propose('', [{ field: 'price', op: 'append', value: 'x' }]),
      propose('', [{ field: 'categories', op: 'add_categories', value: [999_999] }]),
      propose('', []),
    ].map(async (response) => {
      const { status, body } = await response
      return [status, body.errors[0].pointer]
    }),
  )
  expect(rejected).toEqual([
    [422, '/filter'],
    [422, '/filter'],
    [422, '/filter'],
    [422, '/edits/0/op'],
    [422, '/edits/0/value/0'],
    [422, '/edits'],
  ])
})

test('a filter that matches too many products is rejected with their number, and stores nothing', async () => {
  shop = await service.tenant()
  await push(['G1', 'G2', 'G3'].map((sku) => ({ sku, name: sku })))
  const edits = [{ field: 'price', op: 'set', value: 1 } as const]
  const edit = { projectId: shop.project, title: 'All', actor: 'tester', tokenId: null, filters: {}, edits }
  await expect(proposeEdits(service.database, edit, 2)).rejects.toMatchObject({
    extras: {
      errors: [{ pointer: '/filter', code: 'too_many', message: expect.stringMatching(/^matches 3 /) }],
    },
  })
  expect((await send('GET', '/proposals')).body.count).toBe(0)
  const { id } = await proposeEdits(service.database, edit, 3)
  expect((await prepared(id)).summary.total).toBe(3)
})
