import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  shop.call(`/v2${path}`, { method, headers, ...(body !== undefined && { body }) })
const done = async (response: ReturnType<typeof send>) => {
  const { status, body, text } = await response
  expect(status, text).toBeLessThan(300)
  return body
}
const create = (body: object) => done(send('POST', '/products', { name: 'Mug', ...body }))
const patch = (id: number, body: object) => done(send('PATCH', `/products/${id}`, body))
const revert = (id: number, body: object, headers?: Record<string, string>) =>
  send('POST', `/products/${id}/revert`, body, headers)
const errorsOf = async (response: ReturnType<typeof send>) => {
  const { status, body } = await response
  return [status, ...body.errors.map((error: InputError) => `${error.pointer} ${error.message}`)]
}
type InputError = { pointer: string; message: string }

/** The content of a version, as responses show it. */
const content = ({ version: _v, updated_at: _u, quality_score: _q, provenance: _p, ...rest }: Shown) => {
  const { inventory, ...fields } = rest as { inventory: Record<string, unknown> }
  const { tracked, low_stock_threshold, backorders } = inventory
  return { ...fields, settings: { tracked, low_stock_threshold, backorders } }
}
type Shown = Record<string, unknown> & { version: number }

describe('a revert', () => {
  test('restores every field in a new version, and does not change the stock', async () => {
    await create({ sku: 'OTHER' })
    const made = await create({
      sku: 'R-1',
      description: 'First',
      price: 3,
      status: 'active',
      categories: [{ name: 'Mugs' }],
      attributes: { color: 'red', weight: 1 },
      media: [{ url: 'https://images.example/a.jpg' }],
      product_type: 'bundle',
      components: [{ sku: 'OTHER', quantity: 2 }],
      links: { related: [{ sku: 'OTHER' }] },
      inventory: { tracked: true, low_stock_threshold: 3 },
    })
    await patch(made.id, {
      sku: 'R-1-B',
      name: 'Cup',
      description: '',
      price: null,
      status: 'archived',
      categories: [{ name: 'Cups' }],
      attributes: { color: 'blue', size: 'M', weight: null },
      media: [],
      product_type: 'simple',
      components: [],
      links: { related: null, upsell: [{ sku: 'OTHER' }] },
      inventory: { tracked: false, low_stock_threshold: null, backorders: true },
    })
    await patch(made.id, { inventory: { quantity: 7 } })
    const reverted = await done(revert(made.id, { version: 1 }))
    expect(reverted.version).toBe(3)
    expect(content(reverted)).toEqual(content(made))
    expect(content(await done(send('GET', `/products/${made.id}`)))).toEqual(content(made))
    const { body: stock } = await send('GET', `/products/${made.id}/inventory/adjustments`)
    expect(stock.results[0]).toMatchObject({ quantity: 7 })
    expect((await done(revert(made.id, { version: 2 }))).sku).toBe('R-1-B')
    const again = await done(revert(made.id, { version: 2 }))
    expect([again.version, again.updated_at]).toEqual([4, expect.any(String)])
    const [last] = (await send('GET', `/products/${made.id}/history`)).body.results
    expect(last).toMatchObject({ version: 4, source: 'api', after: { sku: 'R-1-B', name: 'Cup' } })
  })

  test('of some fields does not change the others, for one attribute or all', async () => {
    const { id } = await create({ sku: 'R-2', price: 1, description: 'First', attributes: { a: 1, b: 1 } })
    await patch(id, { price: 2, description: 'Second', attributes: { a: 2, b: null, c: 2 } })
    const some = await done(revert(id, { version: 1, fields: ['price', 'attributes.a'] }))
    expect(some).toMatchObject({ price: 1, description: 'Second', attributes: { a: 1, c: 2 }, version: 3 })
    const all = await done(revert(id, { version: 1, fields: ['attributes'] }))
    expect(all).toMatchObject({ description: 'Second', attributes: { a: 1, b: 1 }, version: 4 })
    expect((await done(revert(id, { version: 1, fields: ['price'] }))).version).toBe(4)
  })

  test('restores the provenance of the values, and outcomes do not count it as a write', async () => {
    const { id: prompt } = await done(send('POST', '/prompts', { name: 'Describe', prompt_text: 'T' }))
    const provenance = { prompt_id: prompt, version_number: '1.0.0' }
    const { id } = await create({ sku: 'R-3', attributes: { a: 1 } })
    const written = await patch(id, { description: 'By it', attributes: { a: 2 }, provenance })
    const byHand = await patch(id, { description: 'By hand', short_description: 'Too' })
    expect(Object.keys(byHand.provenance)).toEqual(['attributes.a'])
    const outcome = async () => (await done(send('GET', `/prompts/${prompt}/outcomes`))).results[0]
    expect(await outcome()).toMatchObject({ writes: 1, kept_rate: 0.5 })
    const back = await done(revert(id, { version: 2 }))
    expect(back.provenance).toEqual(written.provenance)
    expect(await outcome()).toMatchObject({ writes: 1, kept_rate: 1 })
    const [last] = (await send('GET', `/products/${id}/history`)).body.results
    expect(last.provenance).toEqual({ description: written.provenance.description })
    const then = await done(send('GET', `/products/${id}?as_of=${back.updated_at}`))
    expect(then.provenance).toEqual(written.provenance)
    expect((await done(revert(id, { version: 1 }))).provenance).toEqual({})
    expect((await done(revert(id, { version: 4, fields: ['description'] }))).provenance).toEqual({
      description: written.provenance.description,
    })
  })

  test('is rejected with If-Match if the product has changed', async () => {
    const { id } = await create({ sku: 'R-4' })
    const { headers } = await send('GET', `/products/${id}`)
    const tag = headers.get('etag') as string
    await patch(id, { price: 3 })
    expect((await revert(id, { version: 1 }, { 'if-match': tag })).status).toBe(412)
    const now = (await send('GET', `/products/${id}`)).headers.get('etag') as string
    expect((await revert(id, { version: 1 }, { 'if-match': now })).status).toBe(200)
  })

  test('to an unknown version, of an unknown field or of an unknown product is rejected', async () => {
    const { id } = await create({ sku: 'R-5' })
    const latest = `/version product ${id} has no version 9; its latest is 1`
    expect(await errorsOf(revert(id, { version: 9 }))).toEqual([422, latest])
    expect(await errorsOf(revert(id, { version: 1, fields: ['prize'] }))).toEqual([
      422,
      '/fields/0 is not a product field; did you mean "price"?',
    ])
    expect((await revert(id, { version: 0 })).status).toBe(422)
    expect((await revert(999_999_999, { version: 1 })).status).toBe(404)
    const other = await service.tenant()
    const foreign = await other.call(`/v2/products/${id}/revert`, { method: 'POST', body: { version: 1 } })
    expect(foreign.status).toBe(404)
  })
})

describe('a revert follows the rules of a change', () => {
  test('a deleted category is reported, and the other fields can be reverted without it', async () => {
    const { id } = await create({ sku: 'G-1', price: 1, categories: [{ name: 'Doomed' }] })
    const [doomed] = (await done(send('GET', '/categories?search=Doomed'))).results
    await patch(id, { price: 2, categories: [] })
    await done(send('DELETE', `/categories/${doomed.id}`))
    const gone = `categories/0 cannot be reverted to version 1: there is no category ${doomed.id} in this project`
    expect(await errorsOf(revert(id, { version: 1 }))).toEqual([422, `/version ${gone}`])
    expect(await errorsOf(revert(id, { version: 1, fields: ['price', 'categories'] }))).toEqual([
      422,
      `/fields ${gone}`,
    ])
    expect((await done(revert(id, { version: 1, fields: ['price'] }))).price).toBe(1)
  })

  test('a SKU that another product now has is a conflict', async () => {
    const { id } = await create({ sku: 'G-2' })
    await patch(id, { sku: 'G-2-B' })
    const taken = await create({ sku: 'G-2' })
    const { status, body } = await revert(id, { version: 1 })
    expect([status, body.code, body.existing_id]).toEqual([409, 'duplicate_sku', taken.id])
  })

  test('a variant whose values another variant now has is a conflict', async () => {
    await create({ sku: 'SHIRT', product_type: 'configurable', variant_axes: ['color'] })
    const variant = { parent: { sku: 'SHIRT' } }
    const { id } = await create({ sku: 'S-1', ...variant, attributes: { color: 'red' } })
    await patch(id, { attributes: { color: 'blue' } })
    await create({ sku: 'S-2', ...variant, attributes: { color: 'red' } })
    const { status, body } = await revert(id, { version: 1 })
    expect([status, body.code]).toEqual([409, 'duplicate_variant'])
  })

  test('a value that a definition now rejects is reported', async () => {
    const { id } = await create({ sku: 'G-3', attributes: { fit: 'odd' } })
    await patch(id, { attributes: { fit: 'slim' } })
    const definition = { name: 'fit', type: 'choice', allowed: ['slim', 'wide'], mode: 'enforce' }
    await done(send('POST', '/attributes', definition))
    const [status, error] = await errorsOf(revert(id, { version: 1 }))
    expect([status, error]).toEqual([
      422,
      expect.stringMatching(/^\/version attributes\/fit cannot be reverted to version 1: /),
    ])
  })
})
