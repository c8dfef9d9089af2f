import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { pdfOf, uploaded } from '../../../test/media/upload.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let key: string
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  key = await keyOf(shop)
})

async function keyOf({ project }: Tenant): Promise<string> {
  const [row] = await service.database.query(
    sql<{ media_key: string }>`select media_key from projects where id = ${project}`,
  )
  return row?.media_key ?? ''
}

/** Uploads a new file and returns its hash. */
async function newAsset(tenant = shop, kind: 'image' | 'document' = 'image'): Promise<string> {
  const { id } =
    kind === 'image'
      ? await uploaded(tenant, drawnPng())
      : await uploaded(tenant, pdfOf(100), 'application/pdf')
  return id.slice('sha256:'.length)
}

const texts = { kind: 'image', alt: null, title: null }
const shownAs = (hash: string, more: object = {}) => ({
  url: `${service.url}/media/${key}/${hash}/2048.webp`,
  ...texts,
  asset: `sha256:${hash}`,
  thumbnail: `${service.url}/media/${key}/${hash}/256.webp`,
  ...more,
})
const external = { url: 'https://images.example/mug.jpg', ...texts }

const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
let number = 0
async function create(media: object[], more: object = {}) {
  number += 1
  const response = await send('POST', '/products', { sku: `A-${number}`, name: 'Mug', media, ...more })
  expect(response.status, response.text).toBe(201)
  return response.body
}
const usesOf = (hash: string) =>
  service.database
    .query(sql<{ product_id: number }>`
      select product_id from asset_uses where project_id = ${shop.project} and hash = ${hash} order by product_id`)
    .then((rows) => rows.map(({ product_id }) => product_id))

describe('an asset in a product', () => {
  test('is shown with its URL and thumbnail by every read, next to other URLs', async () => {
    const [picture, manual] = [await newAsset(), await newAsset(shop, 'document')]
    const made = await create([
      { asset: `sha256:${picture}`, alt: 'Mug' },
      external,
      { asset: `sha256:${manual}` },
    ])
    const shown = [
      shownAs(picture, { alt: 'Mug' }),
      external,
      shownAs(manual, {
        url: `${service.url}/media/${key}/${manual}/original`,
        kind: 'document',
        thumbnail: null,
      }),
    ]
    expect(made.media).toEqual(shown)
    expect((await send('GET', `/products/${made.id}`)).body.media).toEqual(shown)
    expect((await send('GET', `/products/by-sku/${made.sku}`)).body.media).toEqual(shown)
    expect((await send('GET', `/products/${made.id}?as_of=${made.created_at}`)).body.media).toEqual(shown)
    const { body: list } = await send('GET', `/products?sku=${made.sku}&expand=detail`)
    expect(list.results[0].media).toEqual(shown)
    const { body: history } = await send('GET', `/products/${made.id}/history`)
    expect(history.results[0].after.media).toEqual(shown)
    const { body: events } = await send('GET', '/events?types=product.created&limit=1000')
    const event = events.results.find(({ data }: { data: { id: number } }) => data.id === made.id)
    expect(event.data.after.media).toEqual(shown)
  })

  test('has the base URL that the client used', async () => {
    const hash = await newAsset()
    const { id } = await create([{ asset: `sha256:${hash}` }])
    const urls = []
    for (const host of ['one.localhost', 'two.localhost', 'one.localhost']) {
      const { body } = await shop.call(`/v2/products/${id}`, { headers: { host } })
      urls.push(new URL(body.media[0].url).host)
    }
    expect(urls).toEqual(['one.localhost', 'two.localhost', 'one.localhost'])
  })

  test('is unchanged by a read that is written back, in every kind of write', async () => {
    const hash = await newAsset()
    const { id, sku } = await create([{ asset: `sha256:${hash}` }, external])
    const { body } = await send('GET', `/products/${id}`)
    expect((await send('PUT', `/products/${id}`, body)).body).toEqual(body)
    expect((await send('PUT', `/products/by-sku/${sku}`, body)).body).toEqual(body)
    expect((await send('PATCH', `/products/${id}`, { media: body.media })).body.version).toBe(1)
    const { body: pushed } = await send('POST', '/products/bulk', [body])
    expect(pushed.results[0]).toMatchObject({ outcome: 'unchanged', errors: [] })
  })

  test.each([
    ['its own URL', (path: string) => ({ url: service.url + path })],
    ['the URL on another host', (path: string) => ({ url: `https://cdn.example${path}` })],
    ['the path, as an older release shows it', (path: string) => ({ url: path })],
    ['a smaller size', (path: string) => ({ url: service.url + path.replace('2048', '64') })],
    ['its thumbnail', (path: string) => ({ url: external.url, thumbnail: 'x', asset: assetIn(path) })],
  ])('is recognized by %s', async (_how, itemOf) => {
    const hash = await newAsset()
    const made = await create([itemOf(`/media/${key}/${hash}/2048.webp`)])
    expect(made.media).toEqual([shownAs(hash)])
    expect(await usesOf(hash)).toEqual([made.id])
  })
  const assetIn = (path: string) => `sha256:${path.split('/')[3]}`

  test('that the project does not have is rejected at its pointer, in every kind of write', async () => {
    const other = await service.tenant()
    const [foreign, gone] = [await newAsset(other), '0'.repeat(64)]
    const items = [
      { asset: `sha256:${foreign}` },
      { asset: `sha256:${gone}` },
      { url: `${service.url}/media/${key}/${gone}/2048.webp` },
      { url: `/media/${await keyOf(other)}/${foreign}/2048.webp` },
    ]
    const { id, sku } = await create([])
    const errors = ['asset', 'asset', 'url', 'url'].map((name, index) =>
      expect.objectContaining({ pointer: `/media/${index}/${name}`, code: 'unknown_asset' }),
    )
    const body = { sku, name: 'Mug', media: items }
    const writes = [
      send('POST', '/products', { ...body, sku: `${sku}-2` }),
      send('PUT', `/products/${id}`, body),
      send('PUT', `/products/by-sku/${sku}`, body),
      send('PATCH', `/products/${id}`, { media: items }),
    ]
    for (const { status, body: problem } of await Promise.all(writes))
      expect([status, problem.errors]).toEqual([422, errors])
    const pushes = [
      send('POST', '/products/bulk', [body, { sku: `${sku}-3`, name: 'Mug', media: items }]),
      send('POST', '/products/bulk?dry_run=true', [body]),
    ]
    for (const { body: pushed } of await Promise.all(pushes))
      for (const line of pushed.results) expect(line).toMatchObject({ outcome: 'rejected', errors })
    const { body: proposal } = await send('POST', '/proposals', [body])
    const { body: lines } = await send('GET', `/proposals/${proposal.id}/lines`)
    expect(lines.results[0]).toMatchObject({ outcome: 'rejected', errors })
    expect((await send('GET', `/products/${id}`)).body.version).toBe(1)
  })

  test('of another project with a URL is a URL like any other', async () => {
    const other = await service.tenant()
    const url = `https://cdn.example/media/${await keyOf(other)}/${await newAsset(other)}/2048.webp`
    expect((await create([{ url }])).media).toEqual([{ url, ...texts }])
  })

  test('counts as an image for filters and quality rules', async () => {
    const own = await service.tenant()
    const body = { sku: 'PICTURE', name: 'Mug', media: [{ asset: `sha256:${await newAsset(own)}` }] }
    await own.call('/v2/products', { method: 'POST', body })
    await own.call('/v2/products', { method: 'POST', body: { sku: 'NONE', name: 'Mug' } })
    const skus = async (query: string) =>
      (await own.call(`/v2/products?${query}`)).body.results.map(({ sku }: { sku: string }) => sku)
    expect([await skus('has_image=true'), await skus('has_image=false')]).toEqual([['PICTURE'], ['NONE']])
  })

  test('is inherited by a variant', async () => {
    const hash = await newAsset()
    const axes = { product_type: 'configurable', variant_axes: ['size'] }
    const parent = await create([{ asset: `sha256:${hash}` }], axes)
    const variant = await create([], { parent: { id: parent.id }, attributes: { size: 'S' } })
    for (const path of [`/products/${variant.id}`, `/products/by-sku/${variant.sku}`]) {
      const { body } = await send('GET', `${path}?resolve=parent`)
      expect(body).toMatchObject({ media: [shownAs(hash)], inherited: ['media'] })
    }
  })
})

describe('the uses of an asset', () => {
  test('are the products that show it or have shown it, in any version', async () => {
    const [one, two] = [await newAsset(), await newAsset()]
    const { id, sku } = await create([{ asset: `sha256:${one}` }])
    await send('PATCH', `/products/${id}`, { media: [] })
    const lines = [
      { sku, media: [{ asset: `sha256:${two}` }] },
      { sku, media: [] },
      { sku: `${sku}-NEW`, name: 'Mug', media: [{ asset: `sha256:${two}` }] },
      { sku: `${sku}-NEW`, media: [] },
    ]
    const { body } = await send('POST', '/products/bulk', lines)
    const added = body.results[2].id
    expect([await usesOf(one), await usesOf(two)]).toEqual([[id], [id, added]])
  })

  test('are recorded once by writes at the same time', async () => {
    const hash = await newAsset()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => create([{ asset: `sha256:${hash}` }, { asset: `sha256:${hash}` }])),
    )
    const ids = made.map(({ id }) => id).sort((one, other) => one - other)
    expect(await usesOf(hash)).toEqual(ids)
  })
})

describe('an older release on the same database', () => {
  test.each(['', 'https://cdn.example'])(
    'that writes the URL %j of an asset records its use',
    async (host) => {
      const [hash, other] = [await newAsset(), await newAsset()]
      const { id, sku } = await create([])
      const media = [hash, other].map((one) => ({ ...texts, url: `${host}/media/${key}/${one}/2048.webp` }))
      await service.database.transaction(async (tx) => {
        await tx.query(sql`select set_config('catalog.release', '', true)`)
        await tx.query(
          sql`update products set media = ${JSON.stringify(media)} where project_id = ${shop.project} and id = ${id}`,
        )
        await tx.query(sql`
        insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version, media)
        select project_id, ${`${sku}-OLD`}, name, search_text, quality_score, quality_failed, quality_rules_version,
               ${JSON.stringify([media[0]])}::jsonb
        from products where project_id = ${shop.project} and id = ${id}`)
      })
      const { body } = await send('GET', `/products/by-sku/${sku}-OLD`)
      expect([await usesOf(hash), await usesOf(other)]).toEqual([[id, body.id], [id]])
      expect((await send('PATCH', `/products/${id}`, { media })).body.media).toEqual([
        shownAs(hash),
        shownAs(other),
      ])
    },
  )
})

describe('versions and proposals', () => {
  test('a revert restores an asset, also one whose file was erased if the product still shows it', async () => {
    const hash = await newAsset()
    const { id } = await create([{ asset: `sha256:${hash}` }])
    await send('PATCH', `/products/${id}`, { media: [] })
    const reverted = await send('POST', `/products/${id}/revert`, { version: 1 })
    expect(reverted.body).toMatchObject({ version: 3, media: [shownAs(hash)] })
    await service.database.query(sql`update assets set state = 'erased' where hash = ${hash}`)
    const { body } = await send('GET', `/products/${id}`)
    expect((await send('PUT', `/products/${id}`, { ...body, name: 'Cup' })).body).toMatchObject({
      version: 4,
      media: [shownAs(hash)],
    })
    const other = await send('POST', '/products', { sku: 'E-1', name: 'Mug', media: body.media })
    expect([other.status, other.body.errors[0].code]).toEqual([422, 'unknown_asset'])
    expect(other.body.errors[0].message).toMatch(
      `sha256:${hash} is not a file of this project, or was erased`,
    )
    const [item] = body.media
    const byUrl = await send('POST', '/products', { sku: 'E-1', name: 'Mug', media: [{ url: item.url }] })
    expect(byUrl.body.errors[0].message).toBe(other.body.errors[0].message)
  })

  test('a proposal shows assets on both sides, applies them, and records their uses', async () => {
    const [one, two] = [await newAsset(), await newAsset()]
    const { id, sku } = await create([{ asset: `sha256:${one}` }])
    const line = { sku, media: [{ asset: `sha256:${two}` }] }
    const { body: tried } = await send('POST', '/products/bulk?dry_run=true', [line])
    const sides = { before: [shownAs(one)], after: [shownAs(two)] }
    expect(tried.results[0].changes.media).toEqual(sides)
    const { body: proposal } = await send('POST', '/proposals', [line])
    const lines = `/proposals/${proposal.id}/lines`
    expect((await send('GET', lines)).body.results[0].changes.media).toEqual(sides)
    expect(await usesOf(two)).toEqual([])
    await send('POST', `/proposals/${proposal.id}/apply`)
    expect((await send('GET', `/products/${id}`)).body.media).toEqual([shownAs(two)])
    expect((await send('GET', lines)).body.results[0].changes.media).toEqual(sides)
    expect(await usesOf(two)).toEqual([id])
  })
})

describe('files', () => {
  test.each(['ndjson', 'csv'])(
    'an export as %s names assets by ID and can be imported again',
    async (format) => {
      const own = await service.tenant()
      const [one, two] = [await newAsset(own), await newAsset(own, 'document')]
      const media = [{ asset: `sha256:${one}` }, external, { asset: `sha256:${two}` }]
      await own.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'Mug', media } })
      const { text } = await own.call(`/v2/products/export?format=${format}`)
      expect(text).not.toContain('/media/')
      if (format === 'csv') expect(text).toContain(`sha256:${one}|${external.url}|sha256:${two}`)
      const headers = { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' }
      if (format === 'csv') return
      const { body } = await own.call('/v2/products/bulk', { method: 'POST', body: text, headers })
      expect(body.summary).toMatchObject({ unchanged: 1, rejected: 0 })
    },
  )
})
