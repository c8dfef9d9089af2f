import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { pdfOf, upload, uploaded } from '../../../test/media/upload.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { originalFile } from '../../model/assets/asset-urls.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import { deleteProject } from '../../operations/erase/delete-project.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'
import { sql } from '../../platform/database/sql.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'
import { openMediaStore } from '../media-store/media-store.ts'
import { folderJobs, folderKind } from '../media-store/remove-folders.ts'
import { eraseAsset } from './delete-asset.ts'
import { removeDueFiles } from './remove-files.ts'
import { sweepAssets } from './sweep-assets.ts'
import { thumbnailKind } from './thumbnail-job.ts'
import { fileUploads } from './upload-file.ts'

const actor = { name: 'tester' }
const signal = new AbortController().signal
const folder = mediaFolder(inject('connection'))

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const media = () => openMediaStore(service.database, diskStore(folder))
const removeFiles = () => removeDueFiles(service.database.background, media(), signal)

async function pathOf({ project }: Tenant, id: string): Promise<string> {
  const [row] = await service.database.query(sql<{ file: string }>`
    select file from assets where project_id = ${project} and hash = ${id.slice(7)}`)
  return join(folder, originalFile(project, id.slice(7), String(row?.file)))
}

async function storedBytes({ project }: Tenant): Promise<number> {
  const [row] = await service.database.query(sql<{ bytes: number }>`
    select bytes from asset_storage where project_id = ${project}`)
  return row?.bytes ?? 0
}

const remove = (tenant: Tenant, id: string, query = '') =>
  tenant.call(`/v2/assets/${id}${query}`, { method: 'DELETE' })

const product = async (tenant: Tenant, body: object) =>
  (await tenant.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'A', ...body } })).body

test('a deleted file is gone for clients at once, and from the store soon', async () => {
  const own = await service.tenant()
  const { id, url } = await uploaded(own, pdfOf(100), 'application/pdf')
  const path = await pathOf(own, id)
  expect(await storedBytes(own)).toBe(100)
  expect((await remove(own, id)).status).toBe(204)
  expect((await own.call(`/v2/assets/${id}`)).status).toBe(404)
  expect((await service.call(new URL(url).pathname)).status).toBe(404)
  expect(await storedBytes(own)).toBe(0)
  await removeFiles()
  expect(existsSync(path)).toBe(false)
  expect((await remove(own, id)).status).toBe(404)
})

test('the same file can be uploaded again after its deletion, and removing the old one does not affect it', async () => {
  const own = await service.tenant()
  const file = pdfOf(100)
  const { id } = await uploaded(own, file, 'application/pdf')
  await remove(own, id)
  await uploaded(own, file, 'application/pdf')
  await removeFiles()
  expect((await own.call(`/v2/assets/${id}/content`)).bytes.equals(file)).toBe(true)
})

test('a file stays until no process can write its thumbnails anymore, and then all of them are removed', {
  tags: 'slow',
}, async () => {
  const own = await service.tenant()
  const { id } = await uploaded(own, drawnPng())
  const jobs = () => service.database.query(sql`select from jobs where project_id = ${own.project}`)
  await expect.poll(jobs).toEqual([])
  const path = await pathOf(own, id)
  await service.database.query(sql`
    insert into jobs (project_id, kind, key, due_at, owner, lease_until)
    values (${own.project}, ${thumbnailKind}, ${id.slice(7)}, 'infinity', gen_random_uuid(), now() + interval '1 hour')`)
  await remove(own, id)
  await removeFiles()
  expect(existsSync(path)).toBe(true)
  await service.database.query(sql`delete from jobs where project_id = ${own.project}`)
  await removeFiles()
  expect(readdirSync(dirname(path))).toEqual([])
})

describe('a file is in use', () => {
  test('while a product shows it or has shown it, until the product is erased', async () => {
    const own = await service.tenant()
    const { id } = await uploaded(own, drawnPng())
    const { id: productId } = await product(own, { media: [{ asset: id }], status: 'archived' })
    expect((await remove(own, id)).body.code).toBe('asset_in_use')
    await own.call(`/v2/products/${productId}`, { method: 'PATCH', body: { media: [] } })
    expect((await remove(own, id)).body.code).toBe('asset_in_use')
    await eraseProduct(service.database, actor, own.project, productId)
    expect((await remove(own, id)).status).toBe(204)
  })

  test('while an open proposal names it', async () => {
    const own = await service.tenant()
    const { id } = await uploaded(own, drawnPng())
    await product(own, {})
    const body = [{ sku: 'A', media: [{ asset: id }] }]
    const { body: proposal } = await own.call('/v2/proposals', { method: 'POST', body })
    expect((await remove(own, id)).body.code).toBe('asset_in_use')
    await own.call(`/v2/proposals/${proposal.id}/discard`, { method: 'POST', body: {} })
    expect((await remove(own, id)).status).toBe(204)
  })
})

describe('an erased file', () => {
  test('is removed although a product shows it: its URLs return 410, and the audit trail shows who did it', async () => {
    const own = await service.tenant()
    const manager = await consoleUser(service, { projects: [own.project] })
    const { id, url } = await uploaded(own, pdfOf(100), 'application/pdf')
    const { id: productId } = await product(own, { media: [{ asset: id }] })
    const path = await pathOf(own, id)
    const address = `/console/api/projects/${own.project}/assets/${id}?erase=true`
    expect((await manager.call(address, { method: 'DELETE' })).status).toBe(204)
    expect(existsSync(path)).toBe(false)
    for (const gone of [`/v2/assets/${id}`, `/v2/assets/${id}/content`])
      expect((await own.call(gone)).body.code).toBe('asset_erased')
    const served = await service.call(new URL(url).pathname)
    expect([served.status, served.headers.get('cache-control')]).toEqual([410, 'no-store'])
    expect((await own.call(`/v2/products/${productId}`)).body.media[0].asset).toBe(id)
    expect(await storedBytes(own)).toBe(0)
    const [entry] = await service.database.query(sql<{ actor: string; target: string }>`
      select actor, target from audit_entries where project_id = ${own.project} and action = 'asset.erase'`)
    expect(entry?.target).toBe(`asset ${id}`)
  })

  test('is accepted while the store is unavailable; the file is removed later', async () => {
    const own = await service.tenant()
    const { id, url } = await uploaded(own, pdfOf(100), 'application/pdf')
    const path = await pathOf(own, id)
    const unavailable = openMediaStore(service.database, diskStore(join(folder, 'catalog-media')))
    await expect(unavailable.require()).rejects.toThrow()
    await eraseAsset(service.database, unavailable, actor, own.project, id.slice(7))
    expect(existsSync(path)).toBe(true)
    expect((await service.call(new URL(url).pathname)).status).toBe(410)
    await removeFiles()
    expect(existsSync(path)).toBe(false)
  })

  test('can neither be erased by a token or an editor, nor be uploaded again', async () => {
    const own = await service.tenant()
    const editor = await consoleUser(service, {
      memberships: [{ project_id: own.project, role: 'editor' }],
    })
    const manager = await consoleUser(service, { projects: [own.project] })
    const file = pdfOf(100)
    const { id } = await uploaded(own, file, 'application/pdf')
    expect((await remove(own, id, '?erase=true')).body.code).toBe('insufficient_role')
    const address = `/console/api/projects/${own.project}/assets/${id}?erase=true`
    expect((await editor.call(address, { method: 'DELETE' })).body.code).toBe('insufficient_role')
    await manager.call(address, { method: 'DELETE' })
    expect((await upload(own, file, 'application/pdf')).body.code).toBe('asset_erased')
    const importFile = fileUploads(service.database, diskStore(folder), own.project)
    await expect(importFile(Readable.from([file]))).rejects.toMatchObject({ problemCode: 'asset_erased' })
  })
})

test('the sweep deletes only files that nothing ever named and that were uploaded long ago', async () => {
  const own = await service.tenant()
  const named = ['unused', 'used', 'proposed', 'recent', 'renewed'] as const
  const files = Object.fromEntries(named.map((name) => [name, pdfOf(100)]))
  const ids: Record<string, string> = {}
  for (const name of named) ids[name] = (await uploaded(own, files[name] as Buffer, 'application/pdf')).id
  await product(own, { media: [{ asset: ids['used'], kind: 'document' }] })
  const body = [{ sku: 'A', media: [{ asset: ids['proposed'], kind: 'document' }] }]
  await own.call('/v2/proposals', { method: 'POST', body })
  await service.database.query(sql`
    update assets set uploaded_at = now() - ${assetLimits.unusedSeconds + 60} * interval '1 second'
    where project_id = ${own.project} and 'sha256:' || hash <> ${ids['recent']}`)
  await upload(own, files['renewed'] as Buffer, 'application/pdf')
  const path = await pathOf(own, String(ids['unused']))
  await sweepAssets(service.database.background, signal)
  const { results } = (await own.call('/v2/assets')).body
  const left = results.map(({ id }: { id: string }) => named.find((name) => ids[name] === id))
  expect(left.sort()).toEqual(['proposed', 'recent', 'renewed', 'used'])
  // A backup that is younger than this still finds the file.
  await removeFiles()
  expect(existsSync(path)).toBe(true)
  await service.database.query(sql`update asset_files set due_at = now() where project_id = ${own.project}`)
  await removeFiles()
  expect(existsSync(path)).toBe(false)
})

test('no file is removed after a restore, until an operator adopts the store', async () => {
  const own = await service.tenant()
  const { id } = await uploaded(own, pdfOf(100), 'application/pdf')
  const path = await pathOf(own, id)
  await remove(own, id)
  await service.database.transaction(async (tx) => {
    await tx.query(sql`update media_store set adopted_epoch = gen_random_uuid()`)
    await removeDueFiles(tx, media(), signal)
    expect(existsSync(path)).toBe(true)
    await tx.query(sql`update media_store set adopted_epoch = null`)
    await removeDueFiles(tx, media(), signal)
  })
  expect(existsSync(path)).toBe(false)
})

test('the files of a deleted project are removed by a job', async () => {
  const own = await service.tenant()
  await uploaded(own, pdfOf(100), 'application/pdf')
  await uploaded(shop, pdfOf(100), 'application/pdf')
  await deleteProject(service.database, actor, own.project)
  const [job] = await service.database.query(sql<{ key: string }>`
    select key from jobs where kind = ${folderKind} and key = ${String(own.project)}`)
  expect(job?.key).toBe(String(own.project))
  const { run } = folderJobs(service.database, media())
  const claimed = { projectId: 0, kind: folderKind, owner: '', attempts: 0, signal }
  expect(await run({ ...claimed, key: String(own.project) })).toBe('done')
  expect(existsSync(join(folder, String(own.project)))).toBe(false)
  // Neither is the folder of a project that exists, whatever the table of jobs contains.
  await run({ ...claimed, key: String(shop.project) })
  expect(existsSync(join(folder, String(shop.project)))).toBe(true)
})
