import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyDatabase, inDatabase, ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { createFolder, temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { countWrongCounts } from '../../catalog/products/product-counts.sql.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import { connectForCopy } from './copy-connection.ts'
import {
  digestLength,
  lastLineLength,
  lastLineStart,
  type Manifest,
  parseLastLine,
  type SavedTable,
} from './manifest.ts'
import { openBackup } from './open-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { restoreRows } from './restore-rows.ts'
import { saveBackup } from './save-backup.ts'
import { findOwner } from './schema.sql.ts'
import { listSchemaNames } from './schema-names.ts'
import { listStoredBackups } from './stored-backups.ts'

let source: pg.ClientConfig
let service: TestService
let shop: Tenant
const folder = createFolder()
whenFileEnds(() => rmSync(folder, { recursive: true }))
const scheduled = join(folder, 'scheduled')

beforeAll(async () => {
  source = await ownDatabase('saved')
  service = await startTestService({ backupEvery: '1h', backupDirectory: scheduled }, source)
  shop = await service.tenant()
  await fillShop()
})

async function post(path: string, body: unknown, { call } = shop) {
  const answer = await call(`/v2${path}`, { method: 'POST', body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

async function fillShop(): Promise<void> {
  await post('/categories', { name: 'Tools' })
  await shop.call('/v2/views/de', { method: 'PUT', body: { label: 'German', requires: ['name'] } })
  // There are no products that it would score again.
  await service.database.query(sql`delete from scoring_jobs where project_id = ${shop.project}`)
  for (const sku of ['A-1', 'B\\N', 'C 3'])
    await post('/products', {
      sku,
      name: `Größe "${sku}" \\.`,
      description: 'Tab\there, a line\nand \\ another',
      price: 12.34,
      categories: [{ path: ['Tools', 'Small'] }],
      attributes: { colour: ['red', 'deep "blue"'], weight: 1.5 },
      views: { de: { description: 'Grün\n\\', price: 9 } },
    })
  const [id] = await productIds()
  await shop.call(`/v2/products/${id}`, { method: 'PATCH', body: { price: null, description: '' } })
  const prompt = await post('/prompts', { name: 'Texts', prompt_text: 'Write about {{name}}.' })
  await post(`/prompts/${prompt.id}/versions`, { prompt_text: 'Write more about {{name}}.' })
  await post('/proposals?title=Spring', [
    { sku: 'A-1', price: 20 },
    { sku: 'D-4', name: 'New' },
  ])
}

async function productIds(): Promise<number[]> {
  const { body } = await shop.call('/v2/products?ordering=id')
  return body.results.map(({ id }: { id: number }) => id)
}

/** The API responses for the shop, without the URL of the service. */
async function answers({ url, call }: TestService): Promise<Record<string, string>> {
  const [id] = await productIds()
  const { body: proposals } = await shop.call('/v2/proposals')
  const { body: prompts } = await shop.call('/v2/prompts')
  const paths = [
    '/products?ordering=id',
    '/products?search=gr%C3%B6%C3%9Fe&ordering=-price',
    `/products/${id}`,
    `/products/${id}/history`,
    `/products/${id}?view=de&expand=views`,
    '/products?stale_in=de',
    '/products?missing_in=de.name&view=de',
    '/views/de/progress',
    '/products/export?format=csv',
    '/categories?expand=counts',
    '/prompts',
    `/prompts/${prompts.results[0].id}/versions`,
    '/proposals',
    `/proposals/${proposals.results[0].id}/lines`,
    '/quality-rules',
  ]
  const responses: Record<string, string> = {}
  for (const path of paths) {
    const { status, text } = await call(`/v2${path}`, { token: shop.token })
    expect(status, text).toBe(200)
    responses[path] = text.replaceAll(url, '')
  }
  return responses
}

function open(connection: pg.ClientConfig): Database {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  whenFileEnds(() => database.close())
  return database
}

/** A database without a schema, of a user who may do no more than own it. */
async function databaseOfOwner(purpose: string): Promise<pg.ClientConfig> {
  const admin = open(inject('connection'))
  const [us] = await admin.query(
    sql<{ usesuper: boolean }>`select usesuper from pg_user where usename = current_user`,
  )
  if (us?.usesuper !== true) return emptyDatabase(purpose)
  const name = `catalog_${purpose}_${randomUUID().slice(0, 8)}`
  await admin.query(raw(`create role ${name} login password 'a secret' nosuperuser`))
  await admin.query(raw(`create database ${name} owner ${name}`))
  whenFileEnds(async () => {
    // The embedded server is removed with its data; a drop would first write the changes of all tests to disk.
    if (process.env['TEST_DATABASE_URL'] === undefined) return
    await admin.query(raw(`drop database if exists ${name} with (force)`))
    await admin.query(raw(`drop role ${name}`))
  })
  const own = inDatabase(inject('connection'), name)
  if (own.connectionString === undefined) return { ...own, user: name, password: 'a secret' }
  const url = new URL(own.connectionString)
  Object.assign(url, { username: name, password: 'a secret' })
  return { connectionString: url.href }
}

type Saved = { file: string; manifest: Manifest }
let once: Promise<Saved> | undefined

/** One backup of the source for all tests that need no other. */
function saved(): Promise<Saved> {
  once ??= save('one.backup')
  return once
}

async function save(name: string, connection = source): Promise<Saved> {
  const file = join(folder, name)
  return { file, manifest: (await saveBackup(connection, file)).manifest }
}

test('a service with a schedule writes backups and reports the time of the newest one in its metrics', async () => {
  const series = /^catalog_backup_last_success_timestamp_seconds (\d+\.?\d*)$/m
  const lastBackup = async () => Number(series.exec((await service.call('/metrics')).text)?.[1])
  await expect.poll(lastBackup).toBeGreaterThan(Date.now() / 1000 - 3600)
  expect(listStoredBackups(scheduled)).toHaveLength(1)
  const { manifest } = await openBackup(join(scheduled, listStoredBackups(scheduled)[0]?.file ?? ''))
  expect(manifest.tables.map(({ name }) => name)).not.toContain('secrets')
})

test('the schema names match all objects that migrations create', async () => {
  const found = await open(source).query(sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f', 'c')
    union select typname from pg_type where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r')
      and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')
    union select proname from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`)
  expect(found.length).toBeGreaterThan(40)
  const own = listSchemaNames(thisRelease().migrations)
  expect(found.map(({ name }) => name).filter((name) => !own.includes(name))).toEqual([])
})

test('a backup written during other writes, and restored without superuser rights, serves the same bytes', async () => {
  const busy = await service.tenant()
  let writes = 0
  let isOver = false
  const writing = (async () => {
    for (; !isOver; writes += 1)
      await post(
        '/products',
        { sku: `W-${writes}`, name: 'Written meanwhile', categories: [{ path: ['Busy'] }] },
        busy,
      )
  })()
  await expect.poll(() => writes).toBeGreaterThan(3)
  const before = writes
  const { file, manifest } = await save('busy.backup')
  await expect.poll(() => writes).toBeGreaterThan(before)
  isOver = true
  await writing
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const target = await databaseOfOwner('restored')
  await restoreBackup(target, await openBackup(file))
  const database = open(target)
  expect(await countWrongCounts(database)).toBe(0)
  const rowsOf = (wanted: string) => manifest.tables.find(({ name }) => name === wanted)?.rows
  // Each was made once, and one of them changed once.
  expect(rowsOf('product_history')).toBe((rowsOf('products') ?? 0) + 1)
  expect(await database.query(sql`select seen from event_numbering`)).toEqual([{ seen: null }])
  const restored = await startTestService({}, target)
  expect(await answers(restored)).toEqual(await answers(service))
  const { head, results } = (await shop.call('/v2/events')).body
  const eventsOf = ({ call }: TestService, after: string) =>
    call(`/v2/events?after=${after}`, { token: shop.token })
  expect((await eventsOf(restored, head)).body.code).toBe('feed_restarted')
  const { results: kept } = (await eventsOf(restored, '0')).body
  const withoutEpoch = ({ cursor, ...event }: { cursor: string }) => [event, cursor.slice(8)]
  expect(kept.map(withoutEpoch)).toEqual(results.map(withoutEpoch))
  const again = await restored.call('/v2/products', {
    method: 'POST',
    token: shop.token,
    body: { sku: 'E-5', name: 'After the restore' },
  })
  expect(again.status).toBe(201)
  expect(await countWrongCounts(database)).toBe(0)
})

describe('the file is rejected, and the database stays without a schema:', () => {
  let target: pg.ClientConfig
  let whole: Buffer
  beforeAll(async () => {
    target = await emptyDatabase('refusing')
    whole = readFileSync((await saved()).file)
  })

  async function errorAfter(change: (bytes: Buffer, manifestAt: number) => Buffer): Promise<string> {
    const file = join(temporaryFolder(), 'changed.backup')
    const bytes = Buffer.from(whole)
    const end = parseLastLine(bytes.subarray(-lastLineLength).toString())
    writeFileSync(file, change(bytes, end?.manifestAt ?? 0))
    const message = await openBackup(file)
      .then((backup) => restoreBackup(target, backup))
      .then(
        () => 'restored',
        (error) => error.message,
      )
    const [row] = await open(target).query(
      sql<{ found: boolean }>`select to_regclass('projects') is not null as found`,
    )
    expect(row?.found).toBe(false)
    return message
  }

  test.each([0.1, 0.5, 0.9, 0.9999])('cut after %d of it', async (part) => {
    expect(await errorAfter((bytes) => bytes.subarray(0, Math.floor(bytes.length * part)))).toContain(
      'is truncated',
    )
  })

  test.each([
    ['a table', (manifestAt: number) => Math.floor(manifestAt / 2)],
    ['the manifest', (manifestAt: number) => manifestAt + 100],
    ['the place of the manifest', () => -digestLength - 10],
    ['the checksum', () => -10],
  ])('with one bit turned in %s', async (_name, place) => {
    const message = await errorAfter((bytes, manifestAt) => {
      const at = (bytes.length + place(manifestAt)) % bytes.length
      bytes[at] = (bytes[at] as number) ^ 1
      return bytes
    })
    expect(message).toMatch(/was modified|is truncated/)
  })

  test('of another program, or of a newer version', async () => {
    expect(await errorAfter(() => Buffer.from('PGDMP and so on'))).toContain(
      'is not a Catalog Service backup',
    )
    expect(
      await errorAfter((bytes) => Buffer.concat([Buffer.from('catalog-service backup 7\n'), bytes])),
    ).toContain('has format 7')
    const newer = await errorAfter((bytes, manifestAt) =>
      forged(bytes, manifestAt, (manifest) => ({
        ...manifest,
        migrations: [...manifest.migrations, { name: '9999_later.sql', checksum: 'x' }],
      })),
    )
    expect(newer).toContain('has migration 9999_later.sql, which version')
  })

  const withTable = (manifest: Manifest, change: object) => ({
    ...manifest,
    tables: manifest.tables.with(0, { ...manifest.tables[0], ...change } as SavedTable),
  })

  test.each<[string, (manifest: Manifest) => unknown, string]>([
    ['no tables', ({ tables: _, ...rest }) => rest, 'its manifest is invalid: tables is required'],
    ['a table without a name', (manifest) => withTable(manifest, { name: undefined }), 'tables/0/name'],
    ['text for a number', (manifest) => withTable(manifest, { bytes: '5' }), 'tables/0/bytes'],
    ['no object', () => [], 'its manifest is invalid'],
    ['nothing', () => null, 'its manifest is invalid'],
    ['no migrations', (manifest) => ({ ...manifest, migrations: null }), 'migrations must be'],
    ['another format', (manifest) => ({ ...manifest, format: 2 }), 'format must be'],
    ['a malformed release', (manifest) => ({ ...manifest, release: 'x' }), 'release must'],
    ['a newer release', (manifest) => ({ ...manifest, release: '99.1.0' }), 'written by version 99.1.0'],
    ['a malformed id', (manifest) => ({ ...manifest, id: 'one' }), 'id must'],
    ['a malformed time', (manifest) => ({ ...manifest, taken_at: 'noon' }), 'taken_at must'],
    [
      'another size',
      (manifest) => withTable(manifest, { bytes: 1 }),
      'does not match the size of its tables',
    ],
  ])('with a correct checksum and a manifest that has %s', async (_name, change, message) => {
    const error = await errorAfter((bytes, manifestAt) => forged(bytes, manifestAt, change))
    expect(error).toContain(message)
    expect(error).not.toMatch(/TypeError|undefined|Cannot read/)
  })

  test('with a correct checksum and a manifest that is not JSON', async () => {
    const message = await errorAfter((bytes, manifestAt) => withManifest(bytes, manifestAt, '{'))
    expect(message).toContain('its manifest is not valid JSON')
  })
})

/** The file with another manifest and a checksum that fits it. */
function forged(bytes: Buffer, manifestAt: number, change: (manifest: Manifest) => unknown): Buffer {
  const manifest = JSON.parse(bytes.subarray(manifestAt, -lastLineLength).toString()) as Manifest
  return withManifest(bytes, manifestAt, JSON.stringify(change(manifest)))
}

function withManifest(bytes: Buffer, manifestAt: number, text: string): Buffer {
  const start = Buffer.concat([
    bytes.subarray(0, manifestAt),
    Buffer.from(`${text}\n${lastLineStart(manifestAt)}`),
  ])
  return Buffer.concat([start, Buffer.from(`${createHash('sha256').update(start).digest('hex')}\n`)])
}

test('a database with a project or a user is rejected and does not change', async () => {
  const { file } = await saved()
  const before = await answers(service)
  await expect(restoreBackup(source, await openBackup(file))).rejects.toThrow(
    /is not empty: it contains the project "Test"/,
  )
  expect(await answers(service)).toEqual(before)
})

test('a table of another program with one of our names is not dropped', async () => {
  const { file } = await saved()
  const target = await emptyDatabase('theirs')
  const database = open(target)
  await database.query(raw('create table products (id int, text text)'))
  await database.query(sql`insert into products values (1, 'precious')`)
  await expect(restoreBackup(target, await openBackup(file))).rejects.toThrow('another program uses a name')
  expect(await database.query(sql`select text from products`)).toEqual([{ text: 'precious' }])
})

describe('a restore is atomic:', () => {
  let target: pg.ClientConfig
  beforeAll(async () => {
    target = await ownDatabase('rows')
  })

  async function restore(file: string, onProgress = () => {}): Promise<void> {
    const client = await connectForCopy(target, undefined)
    const backup = await openBackup(file)
    const given = { kind: 'restore', store: undefined, beforeCommit: async () => {} } as const
    const options = { report: () => {}, onProgress, ...given }
    await restoreRows(client, backup, options).finally(() => client.end())
  }

  test('the server ends the connection', async () => {
    const { file } = await saved()
    const database = open(target)
    const terminate = sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'catalog-backup'`
    let asked: Promise<unknown> | undefined
    const cut = restore(file, () => {
      asked ??= database.query(terminate)
    })
    await expect(cut).rejects.toThrow()
    await asked
    expect(await findOwner(database)).toBeUndefined()
  })

  test('a table has missing or different rows, or a statement in its columns', async () => {
    const bytes = readFileSync((await saved()).file)
    const { manifestAt = 0 } = parseLastLine(bytes.subarray(-lastLineLength).toString()) ?? {}
    const rows = 'the rows of prompt_versions do not match'
    for (const [change, message] of [
      [{ rows: 1000 }, rows],
      [{ sha256: '0'.repeat(64) }, rows],
      [{ columns: ["id) from program 'true' --"] }, 'has no table prompt_versions with these columns'],
    ] as const) {
      const file = join(temporaryFolder(), 'forged.backup')
      const forge = ({ tables, ...rest }: Manifest) => ({
        ...rest,
        tables: tables.map((table) => (table.name === 'prompt_versions' ? { ...table, ...change } : table)),
      })
      writeFileSync(file, forged(bytes, manifestAt, forge))
      await expect(restore(file)).rejects.toThrow(message)
      expect(await findOwner(open(target))).toBeUndefined()
    }
  })
})

test('an interrupted backup leaves no file, and a file is replaced only with force', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'one.backup')
  const stopping = new AbortController()
  const cut = saveBackup(source, file, { signal: stopping.signal, onProgress: () => stopping.abort() })
  await expect(cut).rejects.toThrow()
  await expect(saveBackup({ host: folder }, file)).rejects.toThrow('ENOENT')
  expect(readdirSync(folder)).toEqual([])
  await expect(saveBackup(source, join(folder, 'nowhere', 'one.backup'))).rejects.toThrow(
    /^cannot create a file in .*nowhere: ENOENT/,
  )
  await saveBackup(source, file)
  await expect(saveBackup(source, file)).rejects.toThrow('already exists')
  await saveBackup(source, file, { force: true })
  expect(existsSync(file)).toBe(true)
  const pipe = join(folder, 'pipe')
  execFileSync('/usr/bin/mkfifo', [pipe])
  for (const other of [folder, pipe]) {
    await expect(saveBackup(source, other, { force: true })).rejects.toThrow('a regular file')
    await expect(openBackup(other)).rejects.toThrow('a regular file')
  }
  expect(statSync(pipe).isFIFO()).toBe(true)
})
