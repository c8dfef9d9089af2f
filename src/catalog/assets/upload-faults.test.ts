import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { rounds, scaled } from '../../../test/faults/scale.ts'
import { sharedTestService } from '../../../test/harness.ts'
import { pdfOf, upload } from '../../../test/media/upload.ts'
import { type Serving, serve } from '../../../test/processes/catalog-process.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { createProject } from '../../access/projects/manage-project.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { originalFile } from '../../model/assets/asset-urls.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'
import { removeIncoming } from '../../platform/file-store/remove-incoming.ts'
import { openMediaStore } from './media-store.ts'
import { removeDueFiles } from './remove-files.ts'

const actor = { name: 'tester' }
const signal = new AbortController().signal

describe('fault 41: uploads while the service is killed and files are removed', () => {
  test('leave no partial file, no file without an asset, and no asset without its file', async () => {
    const connection = await ownDatabase('killed_uploads')
    const database = openDatabase({ connection, poolSize: 5, statementTimeoutSeconds: 30 })
    const folder = temporaryFolder()
    const tokens = await tokensOf(database, 4)
    const statuses: number[] = []
    const sweep = sweeping(database, folder)
    let sent = 0
    for (const round of rounds(3, 13, 240)) {
      const service = await startService(connectionUrl(connection), folder)
      const uploads = tokens.flatMap((token) => [0, 1].map(() => sendUpload(service.url, token)))
      sent += uploads.length
      // A kill at any time: before the first byte, while files arrive, and after the last response.
      await sleep((round * 37) % 150)
      await service.stop('SIGKILL')
      statuses.push(...(await Promise.all(uploads)))
    }
    await sweep.end()
    expect(sent).toBe(scaled(3, 13) * 8)
    expect(statuses.filter((status) => ![0, 201, 503].includes(status))).toEqual([])
    await removeFiles(database, folder)
    await removeIncoming(diskStore(folder).incoming, 0)
    expect(storedFiles(folder)).toEqual(await expectedFiles(database))
    expect(await accounts(database)).toEqual([])
    await database.close()
  })
})

test('fault 41: the quota holds for simultaneous uploads, and a full project stores nothing', async () => {
  const service = await sharedTestService()
  const tenants = await Promise.all(Array.from({ length: 1 }, () => service.tenant({ plan: 'enterprise' })))
  const [shop] = tenants
  if (shop === undefined) throw new Error('no project')
  const bytes = 100_000
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
        await sleep(5)
      }
    }),
  )
  expect(results.filter((result) => result === 'stored')).toHaveLength(room)
  expect(results.filter((result) => result === 'storage_full')).toHaveLength(50 - room)
  const [stored] = await service.database.query(sql<{ bytes: number }>`
    select bytes from asset_storage where project_id = ${shop.project}`)
  expect(stored?.bytes).toBe(room * bytes)
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

/** Gives up every upload that has not finished, again and again. */
function sweeping(database: Database, folder: string) {
  let isOver = false
  const work = async () => {
    while (!isOver) {
      await removeFiles(database, folder)
      await sleep(20)
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

async function removeFiles(database: Database, folder: string): Promise<void> {
  await database.query(sql`update asset_files set due_at = now() - interval '1 second'`)
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
