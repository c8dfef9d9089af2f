import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { untilPrepared } from '../../../../test/prepared-proposal.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'A product', ...body })).body
const shown = async (id: number) => (await send('GET', `/products/${id}`)).body
const applied = async (lines: object[]) => {
  const { id } = (await send('POST', '/proposals?title=Change', lines)).body
  await send('POST', `/proposals/${id}/apply`)
  return id
}
const revert = async (id: number) => {
  const { status, body } = await send('POST', `/proposals/${id}/revert`)
  expect(status, JSON.stringify(body)).toBe(201)
  await untilPrepared(service, body.id)
  expect((await send('GET', `/proposals/${body.id}`)).body.state).toBe('open')
  return body
}
const apply = async (id: number, body?: object) => (await send('POST', `/proposals/${id}/apply`, body)).body
const linesOf = async (id: number) => (await send('GET', `/proposals/${id}/lines`)).body.results

test('a revert restores changed fields and archives created products', async () => {
  const product = await create({
    sku: 'R1',
    price: 1,
    description: 'Old',
    attributes: { color: 'red' },
    categories: [{ name: 'A' }],
    inventory: { quantity: 4 },
  })
  const id = await applied([
    {
      sku: 'R1',
      price: 2,
      attributes: { color: null, size: 1 },
      categories: [{ name: 'B' }],
      inventory: { quantity: 9 },
    },
    { sku: 'R1', price: 3 },
    { sku: 'R2', name: 'Made', status: 'active' },
  ])
  const inverse = await revert(id)
  expect(inverse).toMatchObject({
    title: 'Revert: Change',
    origin: 'revert',
    reverts: id,
    summary: { total: 3 },
  })
  expect((await linesOf(inverse.id)).map(({ changes }: { changes: object }) => changes)).toMatchObject([
    { status: { before: 'active', after: 'archived' } },
    { price: { before: 3, after: 2 } },
    { price: { before: 2, after: 1 }, 'attributes.color': { before: null, after: 'red' } },
  ])
  expect(await apply(inverse.id)).toMatchObject({ state: 'applied' })
  const { version: _v, updated_at: _u, quality_score: _q, inventory, ...content } = await shown(product.id)
  expect(content).toMatchObject({
    price: 1,
    description: 'Old',
    attributes: { color: 'red' },
    categories: [{ name: 'A' }],
  })
  expect(Object.keys(content.attributes)).toEqual(['color'])
  expect(inventory.quantity).toBe(4)
  expect((await send('GET', '/products/by-sku/R2')).body.status).toBe('archived')
})

test('a field that someone else changed since is a conflict of the revert, and other fields are reverted', async () => {
  const [touched, untouched] = [await create({ sku: 'S1', price: 1 }), await create({ sku: 'S2', price: 1 })]
  const id = await applied([
    { sku: 'S1', price: 2 },
    { sku: 'S2', price: 2 },
  ])
  await send('PATCH', `/products/${touched.id}`, { price: 7 })
  const inverse = await revert(id)
  expect(await apply(inverse.id)).toMatchObject({ state: 'partly_applied' })
  expect([(await shown(touched.id)).price, (await shown(untouched.id)).price]).toEqual([7, 1])
  const conflict = (await linesOf(inverse.id)).find(({ state }: { state: string }) => state === 'conflict')
  expect(conflict.conflicts).toEqual({ price: { base: 2, theirs: 7, ours: 1 } })
})

test('a proposal without changes cannot be reverted', async () => {
  const { id } = (await send('POST', '/proposals', [{ sku: 'N1', name: 'N' }])).body
  const { status, body } = await send('POST', `/proposals/${id}/revert`)
  expect([status, body.code]).toEqual([409, 'proposal_closed'])
})

test('a revert restores the provenance of a prompt', async () => {
  const prompt = (await send('POST', '/prompts', { name: 'Writer', prompt_text: 'Write' })).body
  const provenance = { prompt_id: prompt.id, version_number: '1.0.0', model: 'm' }
  const product = await create({ sku: 'W1', description: 'By a prompt', provenance })
  expect(product.provenance).toMatchObject({ description: { prompt_id: prompt.id } })
  const id = await applied([{ sku: 'W1', description: 'By hand' }])
  expect((await shown(product.id)).provenance).toMatchObject({})
  const inverse = await revert(id)
  await apply(inverse.id)
  expect(await shown(product.id)).toMatchObject({
    description: 'By a prompt',
    provenance: { description: product.provenance.description },
  })
})

test('the user who applies fields of a prompt becomes their reviewer', async () => {
  const prompt = (await send('POST', '/prompts', { name: 'Reviewed', prompt_text: 'Write' })).body
  const provenance = { prompt_id: prompt.id, version_number: '1.0.0' }
  const product = await create({ sku: 'X1' })
  const { id } = (
    await send('POST', '/proposals', [{ sku: 'X1', description: 'Text', price: 2, provenance }])
  ).body
  expect((await linesOf(id))[0].provenance).toMatchObject({
    description: { prompt_id: prompt.id, reviewed_by: null },
  })
  await apply(id)
  const { provenance: shownProvenance } = await shown(product.id)
  expect(Object.keys(shownProvenance)).toEqual(['description'])
  expect(shownProvenance.description).toMatchObject({
    reviewed_by: expect.any(String),
    at: expect.any(String),
  })
  const [entry] = (await send('GET', `/products/${product.id}/history`)).body.results
  expect(entry).toMatchObject({ proposal: id, provenance: shownProvenance })
})

test('products that reference each other are reverted in reverse order', { tags: 'slow' }, async () => {
  await create({ sku: 'O1' })
  await create({ sku: 'O2', price: 1, attributes: { color: 'red' } })
  await create({ sku: 'O3', product_type: 'configurable', variant_axes: ['color'] })
  const id = await applied([
    { sku: 'O1', product_type: 'configurable', variant_axes: ['color'] },
    { sku: 'O2', price: 2 },
    { sku: 'O2', parent: { sku: 'O1' }, price: 3 },
  ])
  expect((await send('GET', '/products/by-sku/O2')).body.parent).toMatchObject({ sku: 'O1' })
  const inverse = await revert(id)
  expect(await apply(inverse.id)).toMatchObject({ state: 'applied' })
  expect((await send('GET', '/products/by-sku/O1')).body).toMatchObject({ product_type: 'simple' })
  expect((await send('GET', '/products/by-sku/O2')).body).toMatchObject({ parent: null, price: 1 })
  await applied([{ sku: 'O2', parent: { sku: 'O3' } }])
  const two = await applied([
    { sku: 'O2', price: 5 },
    { sku: 'O2', parent: null, price: 6 },
  ])
  expect(await apply((await revert(two)).id)).toMatchObject({ state: 'applied' })
  expect((await send('GET', '/products/by-sku/O2')).body).toMatchObject({ parent: { sku: 'O3' }, price: 1 })
})

test('a proposal shows its partial or full revert until that is reverted itself', {
  tags: 'slow',
}, async () => {
  await create({ sku: 'U1', price: 1 })
  const other = await create({ sku: 'U2', price: 1 })
  const id = await applied([
    { sku: 'U1', price: 2 },
    { sku: 'U2', price: 2 },
  ])
  const revertedBy = async (of: number) => (await send('GET', `/proposals/${of}`)).body.reverted_by
  expect(await revertedBy(id)).toBeNull()
  await send('PATCH', `/products/${other.id}`, { price: 5 })
  const first = await revert(id)
  expect(await revertedBy(id)).toBeNull()
  await apply(first.id)
  expect(await revertedBy(id)).toEqual({ id: first.id, fully: false })
  await send('PATCH', `/products/${other.id}`, { price: 2 })
  const [conflict] = (await send('GET', `/proposals/${first.id}/lines?state=conflict`)).body.results
  await apply(first.id, { lines: [conflict.line], overwrite: true })
  expect(await revertedBy(id)).toEqual({ id: first.id, fully: true })

  const again = await revert(first.id)
  await apply(again.id)
  expect([await revertedBy(id), await revertedBy(first.id)]).toEqual([null, { id: again.id, fully: true }])
  const second = await revert(id)
  await apply(second.id)
  expect(await revertedBy(id)).toEqual({ id: second.id, fully: true })
  const { results } = (await send('GET', '/proposals?ordering=-id&page_size=50')).body
  const listed = results.find((one: { id: number }) => one.id === id)
  expect(listed.reverted_by).toEqual({ id: second.id, fully: true })
})
