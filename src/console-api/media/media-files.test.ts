import { beforeAll, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { pdfOf, uploaded } from '../../../test/media/upload.ts'

let service: TestService
let shop: Tenant
let viewer: ConsoleUser
/** Asset IDs: in two products, in a past version only, too small, a document that nothing shows. */
let ids: Record<'shown' | 'past' | 'small' | 'document', string>

beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  viewer = await consoleUser(service, { memberships: [{ project_id: shop.project, role: 'viewer' }] })
  const stored = async (bytes: Buffer, type?: string) => (await uploaded(shop, bytes, type)).id
  ids = {
    shown: await stored(drawnPng(500, 2)),
    past: await stored(drawnPng(1_200, 2)),
    small: await stored(drawnPng(499, 2)),
    document: await stored(pdfOf(500), 'application/pdf'),
  }
  const put = (lines: object[]) => shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  await put([
    { sku: 'MUG-1', name: 'Mug', media: [{ asset: ids.past }, { asset: ids.small, alt: 'A mug' }] },
    { sku: 'MUG-2', name: 'Cup', media: [{ asset: ids.shown, alt: 'A cup' }] },
  ])
  await put([{ sku: 'MUG-1', media: [{ asset: ids.shown }, { asset: ids.small, alt: 'A mug' }] }])
})

const read = async (query = '', list = 'media-files') => {
  const { status, body } = await viewer.call(`/console/api/projects/${shop.project}/${list}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const idsOf = ({ results }: { results: { id: string }[] }) => results.map(({ id }) => id).sort()

test('every file has the number of products that show it, lack a text for it, or have ever shown it', async () => {
  const { count, results } = await read()
  expect(count).toBe(4)
  const counts = Object.fromEntries(
    results.map(({ id, shown, undescribed, named }: Record<string, number>) => [
      id,
      [shown, undescribed, named],
    ]),
  )
  expect(counts).toEqual({
    [ids.shown]: [2, 1, 2],
    [ids.past]: [0, 0, 1],
    [ids.small]: [1, 0, 1],
    [ids.document]: [0, 0, 0],
  })
})

test('files that need attention are filtered: unused, too small, without alternative text', async () => {
  expect(idsOf(await read('?only=unused'))).toEqual([ids.document])
  expect(idsOf(await read('?only=too_small'))).toEqual([ids.small])
  expect(idsOf(await read('?only=undescribed'))).toEqual([ids.shown])
  expect(await read('?page_size=1')).toMatchObject({ count: 4, results: [{ id: ids.document }] })
})

test('the uses of a file are the products that show it now, with their alternative texts', async () => {
  expect(await read('', `assets/${ids.shown}/uses`)).toMatchObject({
    products: [
      { sku: 'MUG-1', name: 'Mug', alt: null },
      { sku: 'MUG-2', name: 'Cup', alt: 'A cup' },
    ],
    has_more: false,
  })
  expect((await read('', `assets/${ids.past}/uses`)).products).toEqual([])
})

test('the storage of a project is the sum of its files, and its quota that of its plan', async () => {
  const { results } = await read()
  const bytes = results.reduce((sum: number, file: { bytes: number }) => sum + file.bytes, 0)
  expect(await read('', 'assets/storage')).toEqual({ used_bytes: bytes, quota_bytes: expect.any(Number) })
})

test('the files of another project are not listed, and their uses return 404', async () => {
  const other = await service.tenant()
  const stranger = await consoleUser(service, { projects: [other.project] })
  const path = `/console/api/projects/${other.project}`
  expect((await stranger.call(`${path}/media-files`)).body.count).toBe(0)
  expect((await stranger.call(`${path}/assets/${ids.shown}/uses`)).status).toBe(404)
})
