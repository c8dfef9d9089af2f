import { beforeAll, expect, inject, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { type FileServer, startFileServer } from '../../../test/media/file-server.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'
import { type FileFetcher, fileFetcher } from '../../platform/outbound/fetch-file.ts'
import { fetchMedia } from './fetch-media.ts'

let service: TestService
let server: FileServer
let fetcher: FileFetcher
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  const [front, back] = [drawnPng(), drawnPng()]
  server = await startFileServer({
    '/front': (response) => void response.end(front),
    '/back': (response) => void response.end(back),
  })
  fetcher = fileFetcher(server.fetching)
  whenFileEnds(() => fetcher.close())
  shop = await service.tenant()
})

const store = () => diskStore(mediaFolder(inject('connection')))

async function run() {
  const failures: string[] = []
  const onFailure = (url: string) => failures.push(url)
  const found = await fetchMedia({
    ...{ database: service.database, fetcher, store: store(), projectId: shop.project, onFailure },
  })
  return { ...found, failures }
}

const mediaOf = async (sku: string) => (await shop.call(`/v2/products/by-sku/${sku}`)).body.media

test('products show stored files instead of external ones, which stay in the history, and can be repeated', async () => {
  const [front, back, gone] = ['/front', '/back', '/gone'].map((path) => server.url + path)
  const lines = [
    {
      sku: 'A',
      name: 'A',
      media: [{ url: front, alt: 'Front' }, { url: gone }, { url: back, title: 'Back' }],
    },
    { sku: 'B', name: 'B', media: [{ url: front }] },
    { sku: 'C', name: 'C' },
  ]
  await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  expect(await run()).toEqual({ products: 2, files: 2, failed: 1, failures: [gone] })
  const [first, second, third] = await mediaOf('A')
  expect(first).toMatchObject({ asset: expect.stringContaining('sha256:'), alt: 'Front', kind: 'image' })
  expect(second).toMatchObject({ url: gone })
  expect(third).toMatchObject({ asset: expect.stringContaining('sha256:'), title: 'Back' })
  expect((await mediaOf('B'))[0].asset).toBe(first.asset)
  const { body } = await shop.call('/v2/products/by-sku/A')
  const { results } = (await shop.call(`/v2/products/${body.id}/history`)).body
  expect(results[0].before.media[0].url).toBe(front)
  expect(await run()).toEqual({ products: 0, files: 0, failed: 1, failures: [gone] })
  expect((await shop.call('/v2/products/by-sku/A')).body.version).toBe(body.version)
})
