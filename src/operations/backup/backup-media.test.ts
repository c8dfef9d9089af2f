import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { connectionUrl, emptyDatabase, ownDatabase } from '../../../test/database/test-database.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { runCheck } from '../../../test/run-check.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { createFolder, temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { mediaCheck } from '../doctor/check-media.ts'

const { catalog, catalogJson } = commandRunner({})
const picture = drawnPng()
const hash = createHash('sha256').update(picture).digest('hex')
/** The database and the store of the original. */
let original: { DATABASE_URL: string; CATALOG_MEDIA: string }
let backups: string

beforeAll(async () => {
  const connection = await ownDatabase('media')
  original = { DATABASE_URL: connectionUrl(connection), CATALOG_MEDIA: join(folderOfFile(), 'media') }
  backups = folderOfFile()
  const { id } = await catalogJson(['project', 'create', '--name', 'Shop', '--plan', 'pro'], original)
  mkdirSync(join(backups, 'images'))
  writeFileSync(join(backups, 'images/mug.png'), picture)
  writeFileSync(join(backups, 'shop.csv'), 'sku,name,media\nMUG,Mug,images/mug.png\n')
  await catalogJson(['import', join(backups, 'shop.csv'), '--project', String(id)], original)
})

function folderOfFile(): string {
  const folder = createFolder()
  whenFileEnds(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes(hash) && !name.endsWith(hash))
}

test('a backup with media can be verified without a service and restores the files, and nothing is removed until the store is adopted', async () => {
  const file = join(backups, 'with.backup')
  const saved = await catalogJson(['backup', '--output', file, '--with-media'], original)
  expect(saved).toMatchObject({ products: 1, media: '1 files' })
  const ofKilled = mkdtempSync(join(tmpdir(), 'catalog-verify-9999999-'))
  const verified = await catalogJson(['backup', 'verify', file], {})
  expect(verified).toMatchObject({ projects: 1, wrong_counts: 0, missing_files: 0 })
  expect(existsSync(ofKilled)).toBe(false)

  const target = await emptyDatabase('media')
  const to = { DATABASE_URL: connectionUrl(target), CATALOG_MEDIA: join(temporaryFolder(), 'media') }
  const restored = await catalogJson(['restore', file], to)
  expect(restored.media).toBe(`1 files written to ${to.CATALOG_MEDIA}; run "catalog media adopt"`)
  expect(filesIn(to.CATALOG_MEDIA)).toEqual(filesIn(original.CATALOG_MEDIA))
  expect(await runCheck(mediaCheck, to)).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('no media file is removed'),
  })
  expect(await catalogJson(['media', 'adopt', '--yes'], to)).toMatchObject({
    store: to.CATALOG_MEDIA,
    files: 1,
    missing: 0,
  })
  expect(await runCheck(mediaCheck, to)).toMatchObject({
    status: 'ok',
    detail: `stored in ${to.CATALOG_MEDIA}; compared 1 file`,
  })
})

test('a backup without media lists the files, which verify and doctor look for in the store', async () => {
  const file = join(backups, 'without.backup')
  const saved = await catalogJson(['backup', '--output', file], original)
  expect(saved.media).toBe('1 files, not included')
  const { CATALOG_MEDIA } = original
  const copy = { ...original, CATALOG_MEDIA: join(temporaryFolder(), 'media') }
  cpSync(CATALOG_MEDIA, copy.CATALOG_MEDIA, { recursive: true })
  const [path = ''] = filesIn(copy.CATALOG_MEDIA)
  writeFileSync(join(copy.CATALOG_MEDIA, path), picture.subarray(1))
  const verified = await catalog(['backup', 'verify', file], { CATALOG_MEDIA: copy.CATALOG_MEDIA })
  const reason = `1 of 1 media files are missing, such as ${path}`
  expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining(reason)])
  expect(await runCheck(mediaCheck, copy)).toMatchObject({
    status: 'failure',
    detail: `1 of 1 compared files are missing or incomplete in ${copy.CATALOG_MEDIA}, such as ${path}`,
  })
  rmSync(copy.CATALOG_MEDIA, { recursive: true })
  expect(await runCheck(mediaCheck, copy)).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('is not the store that has the files of this database'),
  })
})

test('a database that was restored without its files reports where to copy them, and shows them afterward', async () => {
  const file = join(backups, 'later.backup')
  await catalogJson(['backup', '--output', file], original)
  const target = await emptyDatabase('later')
  const to = { DATABASE_URL: connectionUrl(target), CATALOG_MEDIA: join(temporaryFolder(), 'media') }
  const { media } = await catalogJson(['restore', file], to)
  expect(media).toContain(`1 files, not included; copy them to ${to.CATALOG_MEDIA}`)
  const adopted = await catalog(['media', 'adopt', '--yes', '--json'], to)
  expect([adopted.code, JSON.parse(adopted.stdout)]).toEqual([1, expect.objectContaining({ missing: 1 })])
  const [path = ''] = filesIn(original.CATALOG_MEDIA)
  cpSync(join(original.CATALOG_MEDIA, path), join(to.CATALOG_MEDIA, path), { recursive: true })
  expect(await catalogJson(['media', 'adopt', '--yes'], to)).toMatchObject({ missing: 0 })
})

test('files are not restored into the store of another database', async () => {
  const file = join(backups, 'other.backup')
  await catalogJson(['backup', '--output', file, '--with-media'], original)
  const other = await ownDatabase('other')
  const store = join(temporaryFolder(), 'media')
  const { id } = await catalogJson(['project', 'create', '--name', 'Other', '--plan', 'pro'], {
    DATABASE_URL: connectionUrl(other),
  })
  await catalogJson(['import', join(backups, 'shop.csv'), '--project', String(id)], {
    ...{ DATABASE_URL: connectionUrl(other), CATALOG_MEDIA: store },
  })
  const target = await emptyDatabase('refused')
  const refused = await catalog(['restore', file], {
    DATABASE_URL: connectionUrl(target),
    CATALOG_MEDIA: store,
  })
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('belongs to another database')])
})
