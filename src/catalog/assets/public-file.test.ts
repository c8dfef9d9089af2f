import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { pdfOf, uploaded } from '../../../test/media/upload.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { tokenLimits } from '../../access/limits.ts'
import { changeProject } from '../../access/projects/manage-project.ts'
import { imageSizes, sizeFile } from '../../model/assets/asset-urls.ts'
import { sql } from '../../platform/database/sql.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const pathOf = (url: string) => new URL(url).pathname

/** An image whose sizes exist: each contains its number of pixels. */
async function readyImage(tenant = shop) {
  const { id, url } = await uploaded(tenant, drawnPng())
  const hash = id.slice(7)
  await expect.poll(async () => (await tenant.call(`/v2/assets/${id}`)).body.state).toBe('ready')
  const [row] = await service.database.query(sql<{ file: string }>`
    select file from assets where project_id = ${tenant.project} and hash = ${hash}`)
  const store = diskStore(mediaFolder(inject('connection')))
  for (const size of imageSizes)
    await store.put(sizeFile(tenant.project, hash, String(row?.file), size), {
      bytes: Buffer.from(`${size}`),
    })
  return { id, path: pathOf(url).replace('/2048.webp', '') }
}

test('an image is served in its sizes without a token, forever, and its original is not', {
  tags: 'slow',
}, async () => {
  const { path } = await readyImage()
  for (const size of imageSizes) {
    const { status, headers, text } = await service.call(`${path}/${size}.webp`)
    expect([status, text, headers.get('content-type')]).toEqual([200, String(size), 'image/webp'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'content-length': String(String(size).length),
    })
    expect(headers.has('content-disposition')).toBe(false)
    const known = { headers: { 'if-none-match': String(headers.get('etag')) } }
    expect((await service.call(`${path}/${size}.webp`, known)).status).toBe(304)
  }
  expect((await service.call(`${path}/original`)).status).toBe(404)
})

test('a document is served as a download, also in parts, and HEAD returns its headers', async () => {
  const file = pdfOf(4_000)
  const path = pathOf((await uploaded(shop, file, 'application/pdf')).url)
  const { bytes, headers } = await service.call(path)
  expect(bytes.equals(file)).toBe(true)
  const hash = createHash('sha256').update(file).digest('hex')
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${hash}.pdf"`)
  const part = await service.call(path, { headers: { range: 'bytes=-4' } })
  expect([part.status, part.bytes.equals(file.subarray(-4))]).toEqual([206, true])
  expect((await service.call(path, { headers: { range: 'bytes=4000-' } })).status).toBe(416)
  for (const headers of [{}, { range: 'bytes=0-3' }]) {
    const head = await service.call(path, { method: 'HEAD', headers })
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([200, 0, '4000'])
  }
})

test('a size that does not exist yet is 404 with Retry-After, and no cache stores that', async () => {
  const { url } = await uploaded(shop, drawnPng())
  await service.database.query(
    sql`delete from jobs where project_id = ${shop.project} and kind = 'media.thumbnail'`,
  )
  const { status, headers } = await service.call(pathOf(url))
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('neither a cookie nor an origin changes the response, and no page of the console appears', {
  tags: 'slow',
}, async () => {
  const cors = await startTestService({ corsOrigins: ['https://shop.example'] })
  const { path } = await readyImage()
  const { headers } = await cors.call(`${path}/64.webp`, {
    headers: { origin: 'https://shop.example', cookie: 'catalog.session=1' },
  })
  for (const name of ['vary', 'access-control-allow-origin', 'set-cookie'])
    expect(headers.has(name)).toBe(false)
  for (const address of ['/media', '/media/x', `${path}/nothing`, `${path}/../../x`]) {
    const response = await service.call(address, { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  }
})

describe('a file does not exist', () => {
  test('under the key of another project, with another hash, or outside of the store', {
    tags: 'slow',
  }, async () => {
    const other = await service.tenant()
    const [own, theirs] = [await readyImage(), await readyImage(other)]
    const [, , ownKey, ownHash] = own.path.split('/')
    const [, , theirKey, theirHash] = theirs.path.split('/')
    for (const path of [
      `/media/${ownKey}/${theirHash}/64.webp`,
      `/media/${theirKey}/${ownHash}/64.webp`,
      `/media/${'A'.repeat(22)}/${ownHash}/64.webp`,
      `/media/${ownKey}/${ownHash}/65.webp`,
      `/media/${ownKey}/${ownHash}/64.webp.webp`,
      `/media/${ownKey}/..%2f..%2f${ownHash}/64.webp`,
      `/media/${ownKey}/${ownHash}/..%2f..%2fcatalog-media`,
      `/media/${ownKey}/${'0'.repeat(64)}/original`,
    ]) {
      const { status, headers } = await service.call(path)
      expect([status, headers.get('cache-control')], path).toEqual([404, 'no-store'])
    }
  })

  test('if its project is private or has no API access; a token still reads it', async () => {
    const own = await service.tenant()
    const { id, path } = await readyImage(own)
    const actor = { name: 'tester' }
    const status = async () => (await service.call(`${path}/64.webp`)).status
    expect(await status()).toBe(200)
    await changeProject(service.database, actor, own.project, { media: 'private' })
    expect(await status()).toBe(404)
    const content = await own.call(`/v2/assets/${id}/content?width=64`)
    expect([content.status, content.text, content.headers.get('content-type')]).toEqual([
      200,
      '64',
      'image/webp',
    ])
    await changeProject(service.database, actor, own.project, { media: 'public', apiAccess: 'off' })
    expect(await status()).toBe(404)
    await changeProject(service.database, actor, own.project, { apiAccess: 'on' })
    expect(await status()).toBe(200)
  })
})

test('managers make the files of their project private, and editors cannot', { tags: 'slow' }, async () => {
  const own = await service.tenant()
  const { path } = await readyImage(own)
  const [manager, editor] = [
    await consoleUser(service, { projects: [own.project] }),
    await consoleUser(service, { memberships: [{ project_id: own.project, role: 'editor' }] }),
  ]
  const address = `/console/api/projects/${own.project}/media-access`
  const change = { method: 'PUT', body: { media: 'private' } }
  expect((await editor.call(address, change)).body.code).toBe('insufficient_role')
  expect((await manager.call(address, change)).body).toEqual({ media: 'private' })
  expect((await editor.call(address)).body).toEqual({ media: 'private' })
  expect((await service.call(`${path}/64.webp`)).status).toBe(404)
})

test('requests with unknown keys are limited per address, and known ones are not', {
  tags: 'slow',
}, async () => {
  const proxied = await startTestService({ behindProxy: true })
  const { path } = await readyImage()
  const headers = { 'x-forwarded-for': '192.0.2.77' }
  const unknown = () => {
    const key = createHash('sha256').update(crypto.randomUUID()).digest('base64url').slice(0, 22)
    return proxied.call(`/media/${key}/${'0'.repeat(64)}/original`, { headers })
  }
  expect((await proxied.call(`${path}/64.webp`, { headers })).status).toBe(200)
  let last = await unknown()
  for (let sent = 0; last.status === 404 && sent < 20 * tokenLimits.unknownBurst; sent += 50)
    last = (await Promise.all(Array.from({ length: 50 }, unknown))).at(-1) ?? last
  expect([last.status, last.body.code]).toEqual([429, 'rate_limited'])
  expect((await proxied.call(`${path}/256.webp`, { headers })).status).toBe(200)
})
