import sharp from 'sharp'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng, pngOf } from '../../../test/media/drawn-png.ts'
import { uploaded } from '../../../test/media/upload.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { sql } from '../../platform/database/sql.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'
import { openImageProcess } from '../../platform/images/image-process.ts'
import { openMediaStore } from '../media-store/media-store.ts'
import { thumbnailJobs } from './make-thumbnails.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService()
  shop = await service.tenant()
})

const stateOf = async (id: string) => (await shop.call(`/v2/assets/${id}`)).body.state

test('an image gets all its sizes in the background, upright and without metadata', {
  tags: 'slow',
}, async () => {
  const image = await sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: 'teal' } })
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: crypto.randomUUID() } } })
    .jpeg()
    .toBuffer()
  const { id, url, thumbnails } = await uploaded(shop, image, 'image/jpeg')
  await expect.poll(() => stateOf(id)).toBe('ready')
  expect((await shop.call(`/v2/assets/${id}`)).body).toMatchObject({ width: 1_500, height: 3_000 })
  const sizes = Object.entries({ ...thumbnails, 2048: url })
  for (const [size, address] of sizes) {
    const { bytes, headers } = await service.call(new URL(address).pathname)
    const { format, height, exif } = await sharp(bytes).metadata()
    expect([format, height, exif, headers.get('content-type')]).toEqual([
      'webp',
      Number(size),
      undefined,
      'image/webp',
    ])
  }
})

test('an image that cannot be decoded has failed, and its original stays', async () => {
  const broken = pngOf(64, 64, Buffer.from(crypto.randomUUID()))
  const { id, url } = await uploaded(shop, broken)
  await expect.poll(() => stateOf(id)).toBe('failed')
  expect((await service.call(new URL(url).pathname)).status).toBe(404)
  expect((await shop.call(`/v2/assets/${id}/content`)).bytes.equals(broken)).toBe(true)
  const jobs = () =>
    service.database.query(sql`select from jobs where project_id = ${shop.project} and key = ${id.slice(7)}`)
  await expect.poll(jobs).toEqual([])
})

test('the thumbnails of a process that lost its job to a faster one stay', { tags: 'slow' }, async () => {
  const { id, thumbnails } = await uploaded(shop, drawnPng())
  await expect.poll(() => stateOf(id)).toBe('ready')
  const setState = (state: string) =>
    service.database.query(
      sql`update assets set state = ${state} where project_id = ${shop.project} and hash = ${id.slice(7)}`,
    )
  const { database } = service
  const images = openImageProcess()
  const late = thumbnailJobs({
    database,
    media: openMediaStore(database, diskStore(mediaFolder(inject('connection')))),
    images: {
      ...images,
      async makeThumbnails(...image) {
        const result = await images.makeThumbnails(...image)
        await setState('ready')
        return result
      },
    },
  })
  onTestFinished(() => images.close())
  await setState('processing')
  const job = { projectId: shop.project, kind: late.name, key: id.slice(7), owner: 'late', attempts: 1 }
  expect(await late.run({ ...job, signal: new AbortController().signal })).toBe('done')
  for (const address of Object.values(thumbnails ?? {}))
    expect((await service.call(new URL(address).pathname)).status).toBe(200)
})

test('many large images of one project do not delay the thumbnails of another', {
  tags: 'slow',
}, async () => {
  const other = await service.tenant()
  const background = 'teal'
  const large = await sharp({ create: { width: 3_000, height: 2_500, channels: 3, background } })
    .jpeg()
    .toBuffer()
  // Decoders ignore what follows the image, so each copy is another file.
  for (let copy = 0; copy < 8; copy += 1)
    await uploaded(shop, Buffer.concat([large, Buffer.from(crypto.randomUUID())]), 'image/jpeg')
  const { id } = await uploaded(other, drawnPng())
  await expect.poll(async () => (await other.call(`/v2/assets/${id}`)).body.state).toBe('ready')
  const [row] = await service.database.query(sql<{ waiting: number }>`
    select count(*)::int as waiting from assets where project_id = ${shop.project} and state = 'processing'`)
  expect(row?.waiting).toBeGreaterThan(2)
})
