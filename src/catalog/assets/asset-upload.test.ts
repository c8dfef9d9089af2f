import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { sharedTestService, startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng, pngOf } from '../../../test/media/drawn-png.ts'
import { pdfOf, upload, uploaded } from '../../../test/media/upload.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { originalFile } from '../../model/assets/asset-urls.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function storedFile({ project }: Tenant, hash: string): Promise<string> {
  const [row] = await service.database.query(sql<{ file: string }>`
    select file from assets where project_id = ${project} and hash = ${hash}`)
  return join(mediaFolder(inject('connection')), originalFile(project, hash, row?.file ?? ''))
}

test('an uploaded image has the hash of its bytes as its ID, its type, its size and its URLs', async () => {
  const image = drawnPng(40, 30)
  const { status, body, headers } = await upload(shop, image)
  expect(status).toBe(201)
  const hash = sha256(image)
  const place = `${service.url}/media/${/media\/([\w-]{22})\//.exec(body.url)?.[1]}/${hash}`
  expect(body).toEqual({
    ...{ id: `sha256:${hash}`, kind: 'image', mime: 'image/png', bytes: image.length, width: 40, height: 30 },
    state: 'processing',
    url: `${place}/2048.webp`,
    thumbnails: { 64: `${place}/64.webp`, 256: `${place}/256.webp`, 1024: `${place}/1024.webp` },
    created_at: expect.any(String),
  })
  expect(headers.get('location')).toBe(`${service.url}/v2/assets/sha256:${hash}`)
  expect((await shop.call(`/v2/assets/sha256:${hash}`)).body).toMatchObject({ id: body.id, url: body.url })
  expect(existsSync(await storedFile(shop, hash))).toBe(true)
})

test('a document is ready at once, and its URL is the file itself', async () => {
  const asset = await uploaded(shop, pdfOf(100), 'application/pdf')
  expect(asset).toMatchObject({ kind: 'document', state: 'ready', width: null, thumbnails: null })
  expect(asset.url).toMatch(/\/original$/)
})

test('the same bytes are stored once per project: 200, also for simultaneous uploads', async () => {
  const image = drawnPng()
  const statuses = await Promise.all([upload(shop, image), upload(shop, image)])
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 201])
  expect((await upload(shop, image)).status).toBe(200)
  const other = await service.tenant()
  const elsewhere = await upload(other, image)
  expect(elsewhere.status).toBe(201)
  expect(await storedFile(other, sha256(image))).not.toBe(await storedFile(shop, sha256(image)))
  expect(elsewhere.body.url).not.toBe(statuses[0]?.body.url)
})

test('the content is downloaded as it was uploaded, completely or in part, and 304 if it is known', async () => {
  const file = pdfOf(5_000)
  const { id } = await uploaded(shop, file, 'application/pdf')
  const { bytes, headers } = await shop.call(`/v2/assets/${id}/content`)
  expect(bytes.equals(file)).toBe(true)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toContain('attachment')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  const part = await shop.call(`/v2/assets/${id}/content`, { headers: { range: 'bytes=10-19' } })
  expect([part.status, part.bytes.equals(file.subarray(10, 20))]).toEqual([206, true])
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${file.length}`)
  const beyond = await shop.call(`/v2/assets/${id}/content`, { headers: { range: 'bytes=9000-' } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`])
  const known = { headers: { 'if-none-match': String(headers.get('etag')) } }
  expect((await shop.call(`/v2/assets/${id}/content`, known)).status).toBe(304)
})

test('lists have the newest first, and filter by kind and use', async () => {
  const own = await service.tenant()
  const image = await uploaded(own, drawnPng())
  const document = await uploaded(own, pdfOf(50), 'application/pdf')
  const ids = async (query: string) =>
    (await own.call(`/v2/assets${query}`)).body.results.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([document.id, image.id])
  expect(await ids('?kind=image')).toEqual([image.id])
  expect(await ids('?kind=video')).toEqual([])
  const { body: product } = await own.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'A' } })
  await service.database.query(sql`
    insert into asset_uses values (${own.project}, ${image.id.slice(7)}, ${product.id})`)
  expect(await ids('?unused=true')).toEqual([document.id])
  expect(await ids('?unused=false')).toEqual([image.id])
})

test('assets of another project, unknown and malformed IDs do not exist', async () => {
  const other = await service.tenant()
  const { id } = await uploaded(other, drawnPng())
  for (const name of [id, `sha256:${'0'.repeat(64)}`, 'sha256:..', '..%2f..%2fetc%2fpasswd', '1'])
    for (const path of [`/v2/assets/${name}`, `/v2/assets/${name}/content`])
      expect((await shop.call(path)).body?.code, path).toBe('not_found')
})

describe('an upload is rejected', () => {
  test.each<[string, string, Uint8Array, number, string]>([
    ['of another type than declared', 'image/jpeg', drawnPng(), 422, 'type_mismatch'],
    ['without a supported type', 'image/svg+xml', Buffer.from('<svg/>'), 415, 'unsupported_media_type'],
    ['as html', 'text/html', Buffer.from('<!doctype html>'), 415, 'unsupported_media_type'],
    ['if it is empty', 'image/png', Buffer.alloc(0), 415, 'unsupported_media_type'],
    ['with too many pixels', 'image/png', pngOf(10_000, 5_001, Buffer.of(1)), 422, 'too_many_pixels'],
    ['above 20 MiB', 'application/pdf', pdfOf(20 * 1024 ** 2 + 1), 413, 'body_too_large'],
  ])('%s', async (_name, type, bytes, status, code) => {
    const response = await upload(shop, bytes, type)
    expect([response.status, response.body.code]).toEqual([status, code])
  })

  test('with Content-Encoding, or without Content-Type', async () => {
    const image = drawnPng()
    const encoded = { 'content-type': 'image/png', 'content-encoding': 'gzip' }
    const gzip = await shop.call('/v2/assets', { method: 'POST', body: image, headers: encoded })
    expect(gzip.body.code).toBe('unsupported_media_type')
    const untyped = await shop.call('/v2/assets', {
      method: 'POST',
      body: image,
      headers: { 'content-type': '' },
    })
    expect(untyped.body.code).toBe('unsupported_media_type')
  })

  test('if no store is configured', { tags: 'slow' }, async () => {
    const without = await startTestService({ media: undefined })
    const tenant = await without.tenant()
    expect((await upload(tenant, drawnPng())).body.code).toBe('media_unavailable')
  })

  test('if it is the third at once in a project, and no temporary file stays', { tags: 'slow' }, async () => {
    const own = await service.tenant()
    const slow = [startUpload(own), startUpload(own)]
    await Promise.all(slow.map(({ started }) => started))
    expect((await upload(own, drawnPng())).body).toMatchObject({ code: 'too_busy', status: 503 })
    expect((await upload(shop, drawnPng())).status).toBe(201)
    for (const { cut } of slow) cut()
    await expect.poll(async () => (await upload(own, drawnPng())).status).toBe(201)
    await expect.poll(() => readdirSync(join(mediaFolder(inject('connection')), 'incoming'))).toEqual([])
  })
})

test('fault 8: an upload that stalls or trickles ends, and releases its slot', async () => {
  const hasty = await startTestService({}, undefined, { pushGraceMilliseconds: 500 })
  const own = await hasty.tenant()
  const [stalled, trickling] = [startUpload(own, hasty), startUpload(own, hasty)]
  await Promise.all([stalled.started, trickling.started])
  const trickle = setInterval(trickling.send, 20)
  expect((await upload(own, drawnPng())).body.code).toBe('too_busy')
  expect(await Promise.all([stalled.status, trickling.status])).toEqual([408, 408])
  clearInterval(trickle)
  expect((await upload(own, drawnPng())).status).toBe(201)
})

/** An upload that does not end. */
function startUpload({ token }: Tenant, to = service) {
  const { port, hostname } = new URL(to.url)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png', expect: '100-continue' }
  const sent = request({ method: 'POST', hostname, port, path: '/v2/assets', headers })
  sent.on('error', () => {})
  const started = new Promise((resolve) => sent.once('continue', resolve))
  const status = new Promise((resolve) => sent.once('response', (response) => resolve(response.statusCode)))
  const send = () => sent.write('x')
  send()
  return { started, status, send, cut: () => sent.destroy() }
}
