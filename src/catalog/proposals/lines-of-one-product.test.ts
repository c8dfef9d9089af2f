import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../test/harness.ts'

let shop: Tenant
beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'A product', ...body })).body
const detail = async (sku: string) => (await send('GET', `/products/by-sku/${sku}`)).body
const propose = async (lines: object[]) => {
  const { status, body } = await send('POST', '/proposals', lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const apply = async (id: number, body: object = {}) =>
  (await send('POST', `/proposals/${id}/apply`, body)).body
const statesOf = async (id: number) =>
  (await send('GET', `/proposals/${id}/lines`)).body.results.map(({ state }: { state: string }) => state)

test('a line applies to the result of earlier lines, including new categories and parents', async () => {
  const { id } = await propose([
    { sku: 'K', name: 'Kit', categories: [{ path: ['New', 'Kits'] }], links: { related: [{ sku: 'K-P' }] } },
    { sku: 'K', categories: [{ path: ['New', 'Sets'] }] },
    { sku: 'K', categories: [], links: { related: [] } },
    { sku: 'K-P', name: 'Parent', product_type: 'configurable', variant_axes: ['color'] },
    { sku: 'K-V', name: 'Variant', parent: { sku: 'K-P' }, attributes: { color: 'red' } },
    { sku: 'K-V', parent: null },
  ])
  const [, second] = (await send('GET', `/proposals/${id}/lines`)).body.results
  expect(second.changes.categories.before).toEqual([{ id: null, name: 'Kits', path: ['New', 'Kits'] }])
  expect(await apply(id)).toMatchObject({ state: 'applied' })
  expect(await statesOf(id)).toEqual(Array(6).fill('applied'))
  expect(await detail('K')).toMatchObject({ categories: [], version: 3 })
  expect(await detail('K-V')).toMatchObject({ parent: null, version: 2 })
})

test('a line for a product of an earlier line does not change a product that someone else created with the SKU', async () => {
  const { id } = await propose([
    { sku: 'M', name: 'Ours' },
    { sku: 'M', price: 4 },
  ])
  await create({ sku: 'M', name: 'Theirs' })
  expect(await apply(id)).toMatchObject({ summary: { states: { conflict: 2 } } })
  expect(await detail('M')).toMatchObject({ name: 'Theirs', price: null, version: 1 })
  expect(await apply(id, { lines: [1, 2], overwrite: true })).toMatchObject({ state: 'applied' })
  expect(await detail('M')).toMatchObject({ name: 'Ours', price: 4 })
})

test('a line applies to the product that an earlier line created, even if its SKU has changed since', async () => {
  const { id } = await propose([
    { sku: 'O', name: 'Ours' },
    { sku: 'O', price: 4 },
  ])
  await apply(id, { lines: [1] })
  const made = await detail('O')
  await send('PATCH', `/products/${made.id}`, { sku: 'O-2' })
  await create({ sku: 'O', name: 'Theirs' })
  expect(await apply(id)).toMatchObject({ state: 'applied' })
  expect([(await detail('O-2')).price, (await detail('O')).version]).toEqual([4, 1])
})
