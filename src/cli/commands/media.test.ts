import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService } from '../../../test/harness.ts'
import { pdfOf, upload, uploaded } from '../../../test/media/upload.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { runCheck } from '../../../test/run-check.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { mediaCheck } from '../../operations/doctor/check-media.ts'
import { sql } from '../../platform/database/sql.ts'

async function started() {
  const connection = await ownDatabase('media_commands')
  const media = temporaryFolder()
  const service = await startTestService({ media }, connection)
  const settings = { DATABASE_URL: connectionUrl(connection), CATALOG_MEDIA: media }
  const { catalog, catalogJson } = commandRunner(settings)
  const doctor = (extra = {}) => runCheck(mediaCheck, { ...settings, ...extra })
  return { service, media, catalog, catalogJson, doctor, settings }
}

test('the storage of a plan is changed, recorded, and applies to the next upload', async () => {
  const { service, catalog, catalogJson } = await started()
  const shop = await service.tenant({ plan: 'pro' })
  const set = (size: string) => catalogJson(['plan', 'set', 'pro', '--storage', size])
  expect(await set('1M')).toMatchObject({ code: 'pro', storage_bytes: 1024 ** 2 })
  expect((await upload(shop, pdfOf(1024 ** 2 + 1), 'application/pdf')).body.code).toBe('storage_full')
  await uploaded(shop, pdfOf(1024 ** 2), 'application/pdf')
  expect(await set('none')).toMatchObject({ storage_bytes: null })
  await uploaded(shop, pdfOf(1024 ** 2), 'application/pdf')
  const plans = await catalogJson(['plan', 'list'])
  expect(plans.find(({ code }: { code: string }) => code === 'free').storage_bytes).toBe(1024 ** 3)
  const entries = await service.database.query(sql<{ details: object }>`
    select details from audit_entries where action = 'plan.change' order by id`)
  expect(entries[0]?.details).toEqual({ storage_bytes: { before: 20 * 1024 ** 3, after: 1024 ** 2 } })
  expect((await catalog(['plan', 'set', 'pro', '--storage', '1 GB'])).stderr).toContain('such as 20G')
  expect((await catalog(['plan', 'set', 'gold', '--storage', '1G'])).stderr).toContain('no plan gold')
})

test('the doctor reports a missing, an empty and a foreign store, and adopting the store fixes it', async () => {
  const { service, media, catalog, catalogJson, doctor } = await started()
  await uploaded(await service.tenant(), pdfOf(100), 'application/pdf')
  expect(await doctor()).toMatchObject({ status: 'ok', detail: `stored in ${media}; compared 1 file` })
  expect(await doctor({ CATALOG_MEDIA: '' })).toMatchObject({ status: 'failure' })
  expect((await doctor({ CATALOG_MEDIA: temporaryFolder() })).detail).toContain('not the store')
  const marker = readFileSync(join(media, 'catalog-media'), 'utf8')
  writeFileSync(join(media, 'catalog-media'), '00000000-0000-4000-8000-000000000000\n')
  expect((await doctor()).detail).toContain('belongs to another database')
  expect((await catalog(['media', 'adopt'])).stderr).toContain('use --yes')
  expect(await catalogJson(['media', 'adopt', '--yes'])).toMatchObject({ store: media })
  expect(await doctor()).toMatchObject({ status: 'ok' })
  expect(marker).not.toBe(readFileSync(join(media, 'catalog-media'), 'utf8'))
})

test('after a restore, the doctor warns that no file is removed until the store is adopted', async () => {
  const { service, catalogJson, doctor } = await started()
  await uploaded(await service.tenant(), pdfOf(100), 'application/pdf')
  await service.database.query(sql`
    insert into restores (backup_id, taken_at, kind) values (gen_random_uuid(), now(), 'restore')`)
  expect(await doctor()).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('no media file'),
  })
  await catalogJson(['media', 'adopt', '--yes'])
  expect(await doctor()).toMatchObject({ status: 'ok' })
})

test('the files of a project are listed, newest first, and those that no product shows', async () => {
  const { service, catalogJson } = await started()
  const shop = await service.tenant()
  const [shown, unused] = [
    await uploaded(shop, pdfOf(100), 'application/pdf'),
    await uploaded(shop, pdfOf(200), 'application/pdf'),
  ]
  const body = { sku: 'A', name: 'A', media: [{ asset: shown.id }] }
  await shop.call('/v2/products', { method: 'POST', body })
  const list = async (...filters: string[]) => {
    const rows = await catalogJson(['media', 'list', '--project', String(shop.project), ...filters])
    return rows.map(({ id, bytes }: { id: string; bytes: number }) => [id, bytes])
  }
  expect(await list()).toEqual([
    [unused.id, 200],
    [shown.id, 100],
  ])
  expect(await list('--unused', '--kind', 'document')).toEqual([[unused.id, 200]])
  expect(await list('--kind', 'image')).toEqual([])
})
