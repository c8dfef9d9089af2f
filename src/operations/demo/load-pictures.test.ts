import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { openMediaStore } from '../../catalog/media-store/media-store.ts'
import { sql } from '../../platform/database/sql.ts'
import { openFileStore } from '../../platform/file-store/open-file-store.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { demoLimits } from '../limits.ts'
import { pictureKind } from './demo-pictures.ts'
import { pictureJobs } from './load-pictures.ts'

const at = (path: string) => `https://images.example/${path}`
const guide = { url: at('out-ten/dome-tent-guide.pdf'), kind: 'document', title: 'Dome Tent: use and care' }
const products = [
  {
    sku: 'TENT',
    media: [
      { url: at('out-ten/dome-tent-sand-1.jpg'), alt: 'Dome Tent, sand' },
      { url: at('out-ten/dome-tent-sand-2.jpg'), alt: 'Dome Tent for two' },
      guide,
    ],
  },
  { sku: 'CARD', media: [{ url: at('out-srv/outdoor-gift-card-1.jpg') }] },
  { sku: 'OTHER', media: [{ url: 'https://shop.example/dome-tent-sand-1.jpg' }] },
]

test('demo products get their pictures, as if they had been created with them', async () => {
  const { service, shop, read } = await demo('pictures', {})
  const before = await read('TENT')
  await requestPictures(service, shop.project)
  await expect.poll(async () => (await read('CARD')).media[0].asset).toMatch(/^sha256:/)
  const { media, ...rest } = await read('TENT')
  const asset = expect.stringMatching(/^sha256:/)
  expect(media).toMatchObject([
    { asset, alt: 'Dome Tent, sand' },
    { asset, alt: 'Dome Tent for two' },
    { ...guide },
  ])
  const { media: _, ...same } = before
  expect(rest).toEqual(same)
  expect((await read('OTHER')).media).toMatchObject(products[2]?.media ?? [])
  const { results } = (await shop.call(`/v2/products/${rest.id}/history`)).body
  expect(results).toMatchObject([{ version: 1, after: { media } }])
  await expect.poll(async () => (await service.call(new URL(media[0].thumbnail).pathname)).status).toBe(200)
  await expect.poll(() => jobsOf(service, shop.project)).toEqual([])
  const { count } = (await shop.call('/v2/assets?unused=true')).body
  expect(count).toBe(0)
})

test('without a store, the products keep their addresses, and no job waits', async () => {
  const { service, shop, read } = await demo('no_pictures', { media: undefined })
  const before = await read('TENT')
  await requestPictures(service, shop.project)
  await expect.poll(() => jobsOf(service, shop.project)).toEqual([])
  expect(await read('TENT')).toEqual(before)
})

test('a run continues after one that was interrupted', async () => {
  const connection = await ownDatabase('pictures_resumed')
  const service = await startTestService({}, connection)
  const shop = await service.tenant()
  const count = demoLimits.pictureProducts + 1
  const media = [{ url: at('out-ten/dome-tent-sand-1.jpg') }, { url: at('out-ten/dome-tent-sand-2.jpg') }]
  const lines = Array.from({ length: count }, (_, index) => ({ sku: `P${index}`, name: 'P', media }))
  expect((await shop.call('/v2/products/bulk', { method: 'POST', body: lines })).status).toBe(200)
  const loaded = async () => {
    const { results } = (await shop.call('/v2/products?expand=detail&page_size=100')).body
    return results.filter((product: { media: { asset?: string }[] }) =>
      product.media.every((item) => item.asset),
    )
  }
  const store = openFileStore({ place: mediaFolder(connection) })
  const kind = pictureJobs(service.database.jobs, openMediaStore(service.database, store))
  const job = { projectId: shop.project, kind: pictureKind, key: '', owner: '', attempts: 0 }
  const run = (signal: AbortSignal) => kind.run({ ...job, signal })
  await expect(run(AbortSignal.abort())).rejects.toThrow()
  expect(await loaded()).toHaveLength(0)
  await run(new AbortController().signal)
  expect(await loaded()).toHaveLength(count - 1)
  await requestPictures(service, shop.project)
  await expect.poll(loaded).toHaveLength(count)
  const { results } = (await shop.call('/v2/assets')).body
  expect(results).toMatchObject([{ state: 'ready' }, { state: 'ready' }])
})

/** On its own database, because another service would run the job too. */
async function demo(name: string, flags: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(flags, await ownDatabase(name))
  const shop = await service.tenant()
  for (const product of products) {
    const body = { ...product, name: product.sku }
    expect((await shop.call('/v2/products', { method: 'POST', body })).status).toBe(201)
  }
  const read = async (sku: string) =>
    (await shop.call(`/v2/products?sku=${sku}&expand=detail`)).body.results[0]
  return { service, shop, read }
}

function requestPictures({ database }: TestService, projectId: number) {
  return requestJob(database, { projectId, kind: pictureKind, key: '' })
}

function jobsOf({ database }: TestService, projectId: number) {
  return database.query(sql`select kind from jobs where project_id = ${projectId} and kind = ${pictureKind}`)
}
