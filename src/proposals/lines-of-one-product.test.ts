import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../test/harness.ts'

let shop: Tenant
beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const detail = async (sku: string) => (await send('GET', `/products/by-sku/${sku}`)).body
const propose = async (lines: object[]) => {
  const { status, body } = await send('POST', '/proposals', lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const apply = async (id: number) => (await send('POST', `/proposals/${id}/apply`, {})).body
const statesOf = async (id: number) =>
  (await send('GET', `/proposals/${id}/lines`)).body.results.map(({ state }: { state: string }) => state)

test('a line applies to what the lines before it make, categories and parents that are still to come too', async () => {
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
