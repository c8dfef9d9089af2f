import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { pictureKind } from './demo-pictures.ts'

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
  { sku: 'CARD', media: [at('out-srv/outdoor-gift-card-1.jpg'), at('out-srv/outdoor-gift-card-2.jpg')] },
  { sku: 'OTHER', media: ['https://shop.example/dome-tent-sand-1.jpg'] },
]

test('products of the demo get their pictures, and keep everything else', async () => {
  const { service, shop, mediaOf } = await demo('pictures', {})
  await expect.poll(async () => (await mediaOf('CARD')).length).toBe(1)
  const [tent, blueprint, document] = await mediaOf('TENT')
  expect(tent).toMatchObject({ asset: expect.stringMatching(/^sha256:/), alt: 'Dome Tent, sand' })
  expect(blueprint).toMatchObject({ asset: expect.stringMatching(/^sha256:/), alt: 'Dome Tent for two' })
  expect(document).toMatchObject(guide)
  expect(await mediaOf('OTHER')).toMatchObject([{ url: products[2]?.media[0] }])
  await expect.poll(async () => (await service.call(new URL(tent.thumbnail).pathname)).status).toBe(200)
  await expect.poll(() => jobsOf(service, shop.project)).toEqual([])
  const [last] = (await shop.call(`/v2/products?sku=TENT&expand=detail`)).body.results
  const [change] = (await shop.call(`/v2/products/${last.id}/history`)).body.results
  expect(change).toMatchObject({ actor: 'Sample: pictures', changed_at: last.updated_at })
})

test('without a store, the products keep their addresses, and no job waits', async () => {
  const { service, shop, mediaOf } = await demo('no_pictures', { media: undefined })
  await expect.poll(() => jobsOf(service, shop.project)).toEqual([])
  expect(await mediaOf('TENT')).toMatchObject([
    { url: at('out-ten/dome-tent-sand-1.jpg') },
    { url: at('out-ten/dome-tent-sand-2.jpg') },
    guide,
  ])
})

/** On its own database, because another service would run the job too. */
async function demo(name: string, flags: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(flags, await ownDatabase(name))
  const shop = await service.tenant()
  for (const product of products) {
    const media = product.media.map((item) => (typeof item === 'string' ? { url: item } : item))
    const body = { ...product, media, name: product.sku }
    expect((await shop.call('/v2/products', { method: 'POST', body })).status).toBe(201)
  }
  await requestJob(service.database, { projectId: shop.project, kind: pictureKind, key: '' })
  const mediaOf = async (sku: string) =>
    (await shop.call(`/v2/products?sku=${sku}&expand=detail`)).body.results[0].media
  return { service, shop, mediaOf }
}

function jobsOf({ database }: TestService, projectId: number) {
  return database.query(sql`select kind from jobs where project_id = ${projectId} and kind = ${pictureKind}`)
}
