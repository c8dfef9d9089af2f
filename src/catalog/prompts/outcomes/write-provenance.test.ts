import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
let prompt: number
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  prompt = (await send('POST', '/prompts', { name: 'Describe', prompt_text: 'About {{name}}' })).body.id
  await send('POST', `/prompts/${prompt}/versions`, { prompt_text: 'All about {{name}}' })
})

const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const by = (more: object = {}) => ({ prompt_id: prompt, version_number: '1.1.0', ...more })
const create = async (body: object) => {
  const response = await send('POST', '/products', { name: 'Mug', ...body })
  expect(response.status, response.text).toBe(201)
  return response.body
}
const provenanceOf = async (response: ReturnType<typeof send>) => {
  const { body, status, text } = await response
  expect(status, text).toBeLessThan(300)
  return body.provenance
}
const errorsOf = async (response: ReturnType<typeof send>) => {
  const { status, body } = await response
  return [status, ...body.errors.map((error: InputError) => `${error.pointer} ${error.message}`)]
}
type InputError = { pointer: string; message: string }
const entry = (at: unknown = expect.any(String), model: string | null = null) => ({
  prompt_id: prompt,
  version_number: '1.1.0',
  model,
  at,
  reviewed_by: null,
})

describe('the provenance of a write', () => {
  test('covers the texts and attributes that it changes, and is removed by a later change', async () => {
    const made = await create({ sku: 'P-1', description: 'Old', attributes: { color: 'red', size: 'M' } })
    const at = `/products/${made.id}`
    expect(made.provenance).toEqual({})
    const change = { description: 'New', price: 3, attributes: { color: 'blue', size: 'M' } }
    const { body } = await send('PATCH', at, { ...change, provenance: by({ model: 'a-model-2' }) })
    const written = entry(body.updated_at, 'a-model-2')
    expect(body.provenance).toEqual({ description: written, 'attributes.color': written })
    expect((await send('GET', at)).body.provenance).toEqual(body.provenance)
    const again = { description: 'New', attributes: { color: 'green' } }
    expect(await provenanceOf(send('PATCH', at, again))).toEqual({ description: written })
    expect(await provenanceOf(send('PATCH', at, { attributes: { color: 'blue' } }))).toEqual({
      description: written,
    })
    expect(await provenanceOf(send('PATCH', at, { description: 'Mine' }))).toEqual({})
  })

  test('that changes nothing writes nothing', async () => {
    const { id } = await create({ sku: 'P-2', description: 'Same' })
    const same = { description: 'Same', attributes: { color: null }, provenance: by() }
    expect((await send('PATCH', `/products/${id}`, same)).body).toMatchObject({ version: 1, provenance: {} })
    const { body } = await send('POST', '/products/bulk', [{ sku: 'P-2', ...same }])
    expect(body.results[0].outcome).toBe('unchanged')
  })

  test('covers the named fields, and no removed attribute', async () => {
    const { id } = await create({ sku: 'P-3', attributes: { color: 'red', size: 'M' } })
    const patch = (body: object) => provenanceOf(send('PATCH', `/products/${id}`, body))
    const fields = ['price', 'links', 'attributes.size', 'categories', 'inventory.backorders']
    const change = {
      description: 'New',
      price: 3,
      categories: [{ name: 'Mugs' }],
      attributes: { color: 'blue', size: 'L' },
      links: { related: [{ sku: 'P-1' }] },
      inventory: { backorders: true },
    }
    const named = await patch({ ...change, provenance: by({ fields }) })
    const expected = ['price', 'links.related', 'attributes.size', 'categories', 'inventory.backorders']
    expect(Object.keys(named).sort()).toEqual(expected.sort())
    const removed = await patch({ attributes: { size: null, color: 'red' }, provenance: by() })
    expect(Object.keys(removed).sort()).toEqual(
      ['attributes.color', 'categories', 'inventory.backorders', 'links.related', 'price'].sort(),
    )
  })

  test('of a new product covers the fields that differ from the default', async () => {
    const texts = { description: 'D', short_description: '', attributes: { a: 1 }, provenance: by() }
    const { provenance, created_at } = await create({ sku: 'P-4', ...texts })
    const made = entry(created_at)
    expect(provenance).toEqual({ name: made, description: made, 'attributes.a': made })
    const put = await send('PUT', '/products/by-sku/P-5', { name: 'Mug', ...texts })
    expect([put.status, Object.keys(put.body.provenance).length]).toEqual([201, 3])
    const replaced = await send('PUT', '/products/by-sku/P-5', { ...texts, name: 'Mug', description: 'E' })
    expect(replaced.body.provenance).toMatchObject({
      name: { at: put.body.created_at },
      description: { at: replaced.body.updated_at },
    })
    const { id } = put.body
    const byId = { sku: 'P-5', name: 'Mug', description: 'F', provenance: by({ fields: ['name'] }) }
    expect(await provenanceOf(send('PUT', `/products/${id}`, byId))).toEqual({
      name: entry(put.body.created_at),
    })
  })

  test('can be sent with the lines of a push, and later lines keep or replace it', async () => {
    const lines = [
      { sku: 'P-6', name: 'Mug', description: 'D', attributes: { a: 1 }, provenance: by() },
      { sku: 'P-6', description: 'E', attributes: { b: 2 } },
      { sku: 'P-6', attributes: { b: 3 }, provenance: by({ model: 'm' }) },
    ]
    const dry = await send('POST', '/products/bulk?dry_run=true', lines)
    expect(dry.body.summary).toMatchObject({ created: 1, updated: 2 })
    await send('POST', '/products/bulk', lines)
    const [product] = (await send('GET', '/products?sku=P-6&expand=detail')).body.results
    expect(product).toMatchObject({ version: 3 })
    expect(product.provenance).toEqual({
      name: entry(product.created_at),
      'attributes.a': entry(product.created_at),
      'attributes.b': entry(product.updated_at, 'm'),
    })
  })

  test('of concurrent writes is recorded for each of them', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ sku: `AT-${index}`, provenance: by() })),
    )
    expect(made.every(({ provenance }) => 'name' in provenance)).toBe(true)
    const changed = await Promise.all(
      made.map(({ id }, index) =>
        send('PATCH', `/products/${id}`, {
          description: 'New',
          ...(index % 2 === 0 && { provenance: by() }),
        }),
      ),
    )
    expect(changed.map(({ body }) => Object.keys(body.provenance).length)).toEqual(
      changed.map((_, index) => (index % 2 === 0 ? 2 : 1)),
    )
  })

  test('is not part of an export, whose lines can be pushed again', async () => {
    const { text } = await shop.call('/v2/products/export?sku=P-6', {
      headers: { accept: 'application/x-ndjson' },
    })
    expect(text).not.toContain('provenance')
  })
})

describe('a write with invalid provenance', () => {
  const form = expect.stringMatching(/^\/provenance must be .*\{"prompt_id": 2, "version_number": "1.1.0"\}/)
  const ofNew = '/provenance is set by the service; omit it when you create an object'
  const differs = '/provenance is read-only and differs from the current value; omit it, or read it again'
  /** Each with the error for provenance in the form of responses, which is compared if it can be sent back. */
  const ways: [string, string, (provenance: unknown) => ReturnType<typeof send>][] = [
    ['POST', form, (provenance) => send('POST', '/products', { sku: 'W-1', name: 'Mug', provenance })],
    ['PUT', ofNew, (provenance) => send('PUT', '/products/by-sku/W-1', { name: 'Mug', provenance })],
    [
      'PATCH',
      differs,
      async (provenance) => {
        const { id } = await create({ sku: `W-${crypto.randomUUID()}` })
        return send('PATCH', `/products/${id}`, { description: 'D', provenance })
      },
    ],
    [
      'push',
      ofNew,
      async (provenance) => {
        const { body } = await send('POST', '/products/bulk', [{ sku: 'W-1', name: 'Mug', provenance }])
        expect(body.results[0].outcome).toBe('rejected')
        return { status: 422, body: body.results[0] } as Awaited<ReturnType<typeof send>>
      },
    ],
  ]

  test.each(ways)('is rejected by %s with the reason', async (_way, shown, write) => {
    expect(await errorsOf(write(by({ prompt_id: 999_999_999 })))).toEqual([
      422,
      '/provenance/prompt_id there is no prompt 999999999 in this project',
    ])
    expect(await errorsOf(write(by({ version_number: '9.0.0' })))).toEqual([
      422,
      `/provenance/version_number prompt ${prompt} has no version 9.0.0; its latest is 1.1.0`,
    ])
    expect(await errorsOf(write(by({ fields: ['description', 'descripton', 'links.relatd'] })))).toEqual([
      422,
      '/provenance/fields/1 is not a product field; did you mean "description"?',
      '/provenance/fields/2 is not a product field; did you mean "links.related"?',
    ])
    expect(await errorsOf(write(by({ version_number: '1.1', model: '' })))).toEqual([
      422,
      '/provenance/version_number must be three numbers separated by dots, such as 1.2.0',
      '/provenance/model must not be empty',
    ])
    expect(await errorsOf(write(null))).toEqual([422, form])
    expect(await errorsOf(write({ description: entry('2026-01-01T00:00:00.000Z') }))).toEqual([422, shown])
    expect(await errorsOf(write({ prompt_id: prompt }))).toEqual([422, form])
  })

  test('from another project is unknown', async () => {
    const other = await service.tenant()
    const body = { sku: 'O-1', name: 'Mug', provenance: by() }
    const { status, body: rejection } = await other.call('/v2/products', { method: 'POST', body })
    expect([status, rejection.errors[0].pointer]).toEqual([422, '/provenance/prompt_id'])
  })
})
