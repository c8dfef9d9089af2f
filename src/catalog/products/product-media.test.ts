import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../test/harness.ts'

let shop: Tenant
beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
})

const url = 'https://images.example/mug.jpg'
const picture = { url, kind: 'image', alt: null, title: null }
const manual = {
  url: 'https://files.example/a|b\\c.pdf',
  kind: 'document',
  alt: '',
  title: 'How to "wash" it, été',
}

const send = (method: string, path: string, body: unknown) => shop.call(`/v2${path}`, { method, body })
const create = async (body: object) => {
  const response = await send('POST', '/products', { name: 'Mug', ...body })
  expect(response.status, response.text).toBe(201)
  return response.body
}

describe('media', () => {
  test('are stored in order and always shown with four keys, and are empty by default', async () => {
    const made = await create({ sku: 'M-1', media: [{ url }, manual, { url, alt: 'A mug' }] })
    const shown = [picture, manual, { ...picture, alt: 'A mug' }]
    expect(made.media).toEqual(shown)
    expect((await shop.call(`/v2/products/${made.id}`)).body.media).toEqual(shown)
    expect((await create({ sku: 'M-2' })).media).toEqual([])
    const { body: listed } = await shop.call('/v2/products?sku__in=M-1,M-2&expand=detail')
    expect(listed.results.map(({ media }: { media: unknown }) => media)).toEqual([shown, []])
  })

  test('sent again without their defaults change nothing, in every kind of write', async () => {
    const body = { sku: 'M-3', name: 'Mug', media: [{ url }] }
    const { id } = await create(body)
    const { sku: _sku, ...put } = body
    const spoken = { media: [{ title: null, alt: null, kind: 'image', url }] }
    expect((await send('PATCH', `/products/${id}`, spoken)).body.version).toBe(1)
    expect((await send('PUT', `/products/${id}`, body)).body.version).toBe(1)
    expect((await send('PUT', '/products/by-sku/M-3', put)).body.version).toBe(1)
    const { body: pushed } = await send('POST', '/products/bulk', [{ sku: 'M-3', media: [{ url }] }])
    expect(pushed.results[0].outcome).toBe('unchanged')
  })

  test('are replaced as a whole by a patch and a push, do not change if left out, and appear in history and as_of', async () => {
    const { id, updated_at } = await create({ sku: 'M-4', media: [{ url }] })
    const at = `/products/${id}`
    expect((await send('PATCH', at, { price: 3 })).body).toMatchObject({ version: 2, media: [picture] })
    expect((await send('PATCH', at, { media: [manual] })).body).toMatchObject({ version: 3, media: [manual] })
    await send('POST', '/products/bulk', [{ sku: 'M-4', media: [] }])
    expect((await shop.call(`/v2${at}`)).body).toMatchObject({ version: 4, media: [] })
    const { body: history } = await shop.call(`/v2${at}/history`)
    expect(history.results[0]).toMatchObject({ before: { media: [manual] }, after: { media: [] } })
    expect((await shop.call(`/v2${at}?as_of=${updated_at}`)).body.media).toEqual([picture])
    const { body: replaced } = await send('PUT', at, { sku: 'M-4', name: 'Mug', media: [{ url }] })
    expect(replaced.media).toEqual([picture])
    expect((await send('PUT', at, { sku: 'M-4', name: 'Mug' })).body.media).toEqual([])
  })

  test('are reported by a dry run with long texts cut', async () => {
    const media = [{ url: `https://images.example/${'x'.repeat(1_000)}` }]
    const { body } = await send('POST', '/products/bulk?dry_run=true', [{ sku: 'M-5', name: 'Mug', media }])
    expect(body.results[0].changes.media.after[0].url).toMatch(/… \(1023 characters\)$/)
  })

  test.each([
    'http://images.example/a.jpg',
    'ftp://images.example/a.jpg',
    'data:image/png;base64,AAAA',
    '//images.example/a.jpg',
    'images.example/a.jpg',
    'https:/images.example/a.jpg',
    'https://',
    'https:///images.example/a.jpg',
    'https://user@images.example/a.jpg',
    'https://:secret@images.example/a.jpg',
    'https://images.example/a.jpg ',
    ' https://images.example/a.jpg',
    'https://images.example/a\n.jpg',
    '',
  ])('the URL %j is rejected at its pointer', async (address) => {
    const body = { sku: 'M-6', name: 'Mug', media: [{ url }, { url: address }] }
    const response = await send('POST', '/products', body)
    expect([response.status, response.body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/media/1/url', code: 'invalid_format' })],
    ])
  })

  test.each([
    [{ media: Array.from({ length: 51 }, () => ({ url })) }, '/media', 'too_many'],
    [{ media: [{ url: `${url}?${'x'.repeat(2_048)}` }] }, '/media/0/url', 'too_long'],
    [{ media: [{ url, kind: 'sound' }] }, '/media/0/kind', 'invalid_choice'],
    [{ media: [{ url, alt: 'x'.repeat(501) }] }, '/media/0/alt', 'too_long'],
    [{ media: [{ url, caption: 'x' }] }, '/media/0/caption', 'unknown_field'],
    [{ media: [{ alt: 'x' }] }, '/media/0/url', 'required'],
    [{ media: null }, '/media', 'invalid_type'],
    [{ media: [url] }, '/media/0', 'invalid_type'],
  ])('%#: a value beyond its limit is rejected at its pointer', async (fields, pointer, code) => {
    const { status, body } = await send('POST', '/products', { sku: 'M-7', name: 'Mug', ...fields })
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code })]])
  })

  test('are accepted up to fifty items of the maximum size', async () => {
    const longest = { url: url.padEnd(2_048, 'ü'), alt: 'ü'.repeat(500), title: '"'.repeat(500) }
    const made = await create({ sku: 'M-8', media: Array.from({ length: 50 }, () => longest) })
    expect(made.media).toHaveLength(50)
    expect((await send('PATCH', `/products/${made.id}`, { price: 1 })).status).toBe(200)
  })

  test('has_image separates products with and without an image, in lists and exports', async () => {
    const own = await (await sharedTestService()).tenant()
    const lines = [
      { sku: 'IMAGE', name: 'Mug', media: [manual, { url }] },
      { sku: 'MANUAL', name: 'Mug', media: [manual] },
      { sku: 'NONE', name: 'Mug' },
    ]
    await own.call('/v2/products/bulk', { method: 'POST', body: lines })
    const skus = async (query: string) => {
      const { body } = await own.call(`/v2/products?${query}`)
      const { text } = await own.call(`/v2/products/export?${query}`)
      const exported = text.trimEnd().split('\n')
      expect(exported.map((line) => JSON.parse(line).sku)).toEqual(
        body.results.map(({ sku }: { sku: string }) => sku),
      )
      return exported.map((line) => JSON.parse(line).sku)
    }
    expect(await skus('has_image=true')).toEqual(['IMAGE'])
    expect(await skus('has_image=false')).toEqual(['MANUAL', 'NONE'])
    await own.call('/v2/products/bulk', { method: 'POST', body: [{ sku: 'IMAGE', media: [] }] })
    expect(await skus('has_image=false')).toEqual(['IMAGE', 'MANUAL', 'NONE'])
  })
})
