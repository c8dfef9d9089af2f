import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { smallDisk } from '../../../test/database/small-disk.ts'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { recordFigures } from '../../../test/faults/figures.ts'
import { rounds, scaled } from '../../../test/faults/scale.ts'
import { sharedTestService, startTestService } from '../../../test/harness.ts'
import { pdfOf, upload } from '../../../test/media/upload.ts'
import { type Serving, serve } from '../../../test/processes/catalog-process.ts'
import { mediaFolder } from '../../../test/setup/media-folder.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { createProject } from '../../access/projects/manage-project.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { originalFile } from '../../model/assets/asset-urls.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { removeIncoming } from '../../platform/file-store/remove-incoming.ts'
import { fileStoreLimits } from '../../platform/limits/files.ts'
import { mebibyte } from '../../platform/units.ts'
import { openMediaStore } from '../media-store/media-store.ts'
import { removeDueFiles } from './remove-files.ts'
import { storeAsset } from './store-asset.ts'

const actor = { name: 'tester' }
const signal = new AbortController().signal

describe('fault 41: uploads while the service is killed and files are removed', () => {
  test('leave no partial file, no file without an asset, and no asset without its file', async (context) => {
    const connection = await ownDatabase('killed_uploads')
    const database = openDatabase({ connection, poolSize: 5, statementTimeoutSeconds: 30 })
    const folder = temporaryFolder()
    const tokens = await tokensOf(database, 4)
    const statuses: number[] = []
    const sweep = sweeping(database, folder)
    let [kills, interrupted] = [0, 0]
    for (const round of rounds(2, 13, 240)) {
      const service = await startService(connectionUrl(connection), folder)
      const uploads = uploading(service.url, tokens, statuses)
      // A kill after any number of responses: the other uploads arrive, are stored or are given up at that time.
      const before = statuses.length
      await expect.poll(() => statuses.length - before, { interval: 1 }).toBeGreaterThan((round * 5) % 12)
      await service.stop('SIGKILL')
      kills += 1
      await uploads.end()
      interrupted += await expireUploads(database)
    }
    await sweep.end()
    expect(statuses.filter((status) => ![0, 201, 503].includes(status))).toEqual([])
    expect(statuses).toContain(201)
    // A few kills may all hit uploads that are still arriving.
    expect(interrupted).toBeGreaterThan(scaled(-1, 0))
    await removeFiles(database, folder)
    await removeIncoming(diskStore(folder).incoming, 0)
    expect(storedFiles(folder)).toEqual(await expectedFiles(database))
    expect(await accounts(database)).toEqual([])
    await database.close()
    const stored = statuses.filter((status) => status === 201).length
    recordFigures(context, {
      ...{ tried: kills, of: 'kills', survived: kills, lost: 0 },
      notes: [`${stored} uploads succeeded; ${interrupted} were interrupted while the service stored them`],
    })
  })
})

test('fault 41: the quota holds for simultaneous uploads, and a full project stores nothing', async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  const bytes = 10_000
  const room = 7
  await service.database.query(sql`
    insert into plans (code, name, api_access, requests_per_second, burst, storage_bytes)
    values (${`quota-${shop.project}`}, 'Quota', true, 1000, 1000, ${room * bytes + bytes / 2})`)
  await service.database.query(sql`
    update projects set plan = ${`quota-${shop.project}`} where id = ${shop.project}`)
  const results = await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (;;) {
        const { status, body } = await upload(shop, pdfOf(bytes), 'application/pdf')
        if (body.code !== 'too_busy') return status === 201 ? 'stored' : body.code
        await sleep(50)
      }
    }),
  )
  expect(results.filter((result) => result === 'stored')).toHaveLength(room)
  expect(results.filter((result) => result === 'storage_full')).toHaveLength(50 - room)
  expect((await shop.call('/v2/assets/storage')).body).toEqual({
    ...{ used_bytes: room * bytes, quota_bytes: room * bytes + bytes / 2 },
  })
})

test('fault 41: an upload that is given up while it is stored leaves nothing, whenever that happens', async () => {
  const { database, tenant } = await sharedTestService()
  const { project } = await tenant()
  const folder = mediaFolder(inject('connection'))
  const files = diskStore(folder)
  const giveUp = async () => {
    await database.query(sql`
      update asset_files set due_at = now() - interval '1 second' where project_id = ${project}`)
    await removeFiles(database, folder)
  }
  for (const when of ['before', 'after'] as const) {
    const put: FileStore['put'] = async (path, source) => {
      if (when === 'before') await giveUp()
      await files.put(path, source)
      if (when === 'after') await giveUp()
    }
    const path = join(temporaryFolder(inject('mediaParent')), 'upload')
    writeFileSync(path, 'x')
    const sha256 = createHash('sha256').update(when).digest('hex')
    const file = {
      path,
      bytes: 1,
      sha256,
      kind: 'document',
      mime: 'application/pdf',
      width: null,
      height: null,
    } as const
    await expect(storeAsset(database, { ...files, put }, project, file)).rejects.toMatchObject({
      problemCode: 'too_busy',
    })
    await removeFiles(database, folder)
    expect(storedFiles(join(folder, String(project))), when).toEqual([])
    expect(await database.query(sql`select from asset_files where project_id = ${project}`)).toEqual([])
  }
  const [stored] = await database.query(sql<{ bytes: number }>`
    select bytes from asset_storage where project_id = ${project}`)
  expect(stored?.bytes).toBe(0)
})

test('fault 6: a media store with too little free space refuses uploads and serves its files', async ({
  skip,
}) => {
  const disk = smallDisk(fileStoreLimits.reservedBytes / mebibyte + 52)
  if (disk === undefined) return skip('a small disk cannot be mounted; run as root to test a full disk')
  const service = await startTestService({ media: join(disk, 'media') }, await ownDatabase('full_media'))
  const shop = await service.tenant()
  const send = () => upload(shop, pdfOf(1_000), 'application/pdf')
  const { body: stored } = await send()
  const filler = join(disk, 'filler')
  writeFileSync(filler, Buffer.alloc(52 * mebibyte))
  const { status, body, headers } = await send()
  expect([status, body.code, headers.get('retry-after')]).toEqual([
    ...[503, 'media_unavailable', expect.any(String)],
  ])
  expect((await service.call(new URL(stored.url).pathname)).status).toBe(200)
  rmSync(filler)
  expect((await send()).status).toBe(201)
})

async function tokensOf(database: Database, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await createProject(database, actor, { name: `P${index}`, plan: 'enterprise' })
    tokens.push((await issueToken(database, actor, id, {})).token)
  }
  return tokens
}

function startService(databaseUrl: string, media: string): Promise<Serving> {
  return serve(['--log-level', 'silent'], { DATABASE_URL: databaseUrl, CATALOG_MEDIA: media })
}

/** 0 if the connection breaks. */
function sendUpload(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/pdf' }
  return new Promise((resolve) => {
    const sent = request(`${url}/v2/assets`, { method: 'POST', headers, agent: false })
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
    sent.on('error', () => resolve(0)).on('close', () => resolve(0))
    sent.end(pdfOf(2_000_000))
  })
}

/** Two uploads at once per token, one after another until the service is gone. */
function uploading(url: string, tokens: readonly string[], statuses: number[]) {
  const sendAll = async (token: string) => {
    for (;;) {
      const status = await sendUpload(url, token)
      statuses.push(status)
      if (status === 0) return
    }
  }
  const ended = Promise.all([...tokens, ...tokens].map(sendAll))
  return { end: () => ended }
}

/** Removes files again and again, also while others are written. */
function sweeping(database: Database, folder: string) {
  let isOver = false
  const work = async () => {
    while (!isOver) {
      await removeFiles(database, folder)
      await sleep(5)
    }
  }
  const ended = work()
  return {
    end: () => {
      isOver = true
      return ended
    },
  }
}

/** The time of uploads that the killed service left is over. Returns their number. */
async function expireUploads(database: Database): Promise<number> {
  const rows = await database.query(sql`
    update asset_files set due_at = now() - interval '1 second' where not is_removed returning 1`)
  return rows.length
}

async function removeFiles(database: Database, folder: string): Promise<void> {
  const media = openMediaStore(database, diskStore(folder))
  await removeDueFiles(database.background, media, signal)
}

function storedFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'catalog-media')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

async function expectedFiles(database: Database): Promise<string[]> {
  const rows = await database.query(sql<{ project: number; hash: string; file: string }>`
    select project_id as project, hash, file from assets`)
  return rows.map(({ project, hash, file }) => originalFile(project, hash, file)).sort()
}

/** Projects whose stored bytes are not those of their assets. */
function accounts(database: Database): Promise<unknown[]> {
  return database.query(sql`
    select storage.project_id, storage.bytes from asset_storage as storage
    where storage.bytes <> (select coalesce(sum(bytes), 0) from assets as asset where asset.project_id = storage.project_id)`)
}
