import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { connectionUrl, emptyDatabase, ownDatabase } from '../../../../test/database/test-database.ts'
import { isLong } from '../../../../test/faults/scale.ts'
import { startTestService } from '../../../../test/harness.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { bearer, create, newToken, postmaster } from '../../../../test/processes/served-shop.ts'
import { untilKilled } from '../../../../test/processes/until-killed.ts'
import { whenFileEnds } from '../../../../test/setup/file-end.ts'
import { dataFolderOfFile } from '../../../../test/setup/temporary-folder.ts'
import { loadConfig } from '../../../config.ts'
import { findOwner } from '../../../operations/backup/schema.sql.ts'
import { moveDatabase } from '../../../operations/move/move-database.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { leaseEmbeddedServer } from '../../../platform/database/embedded/lease.ts'
import { sql, write } from '../../../platform/database/sql.ts'
import { rateLimitMemory } from '../../../platform/http/limits/rate-limit.ts'
import { timeLimits } from '../../../platform/limits/times.ts'
import { startService } from '../../../service.ts'

const folder = dataFolderOfFile()
const mark = join(folder, 'moved.json')
const media = join(folder, 'media')
const { catalog, catalogJson } = commandRunner({ CATALOG_DATA: folder })

let token: string
let before: string[]
let file: string
let empty: pg.ClientConfig

function open(connection: pg.ClientConfig): Database {
  const opened = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  whenFileEnds(() => opened.close())
  return opened
}

/** Without the address of the service. */
async function responses(url: string): Promise<string[]> {
  const paths = [
    ...['/products?ordering=id', '/products/export?format=csv', '/categories?expand=counts'],
    ...['/assets', `/assets/${file}/content`],
  ]
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${url}/v2${path}`, { headers: bearer(token) })
      expect(response.status).toBe(200)
      return (await response.text()).replaceAll(url, '')
    }),
  )
}

function moveTo(connection: pg.ClientConfig) {
  return catalog(['move'], { CATALOG_DATA: folder, CATALOG_MOVE_TO: connectionUrl(connection) })
}

beforeAll(async () => {
  empty = await emptyDatabase('empty')
  const lease = await leaseEmbeddedServer(folder)
  const { url, drain } = await startService({
    config: loadConfig({ port: 0, logLevel: 'silent' }, { CATALOG_MEDIA: media }),
    connection: lease.connection,
    rateLimits: rateLimitMemory(),
    timeLimits: { ...timeLimits, politeMilliseconds: 0 },
  })
  token = (await newToken({ catalogJson })).token
  for (const sku of ['A-1', 'A-2']) expect(await create(url, token, sku)).toBe(201)
  const stored = await fetch(`${url}/v2/assets`, {
    ...{
      method: 'POST',
      body: '%PDF-1.7 a file',
      headers: { ...bearer(token), 'content-type': 'application/pdf' },
    },
  })
  file = ((await stored.json()) as { id: string }).id
  before = await responses(url)
  const { code, stderr } = await moveTo(empty)
  expect([code, stderr]).toEqual([1, expect.stringContaining('a service or command is using the embedded')])
  await drain()
  const embedded = openDatabase({ connection: lease.connection, poolSize: 1, statementTimeoutSeconds: 30 })
  await embedded.query(write(sql`insert into secrets (name, value) values ('webhooks', 'a key')`))
  await embedded.query(
    write(sql`
      insert into ai_offers (name, kind, base_url, currency, models, concurrency, plans)
      values ('house', 'openai-compatible', 'https://models.invalid/v1', 'EUR', '[]', 4, '{pro}')`),
  )
  await embedded.close()
  await lease.release()
})

test('a target database with a project is rejected and does not change', async () => {
  const owned = await ownDatabase('owned')
  await open(owned).query(sql`insert into projects (name, plan) values ('Theirs', 'pro')`)
  const { code, stderr } = await moveTo(owned)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is not empty: it contains the project "Theirs"/)])
  expect(existsSync(mark)).toBe(false)
})

test('a move that fails leaves no copy behind, and the embedded database stays in use', async () => {
  const onStep = (step: string) => {
    if (step === 'saved') throw new Error('the other server is away')
  }
  await expect(moveDatabase(folder, connectionUrl(empty), { onStep })).rejects.toThrow('is away')
  expect(readdirSync(folder)).not.toContain('copy')
  expect(existsSync(mark)).toBe(false)
})

test('if a server is killed during a move, nothing is lost and the embedded database stays in use', async ({
  skip,
}) => {
  if (!isLong) return skip('takes long; npm run test:faults -- kills tests it')
  const cut = moveDatabase(folder, connectionUrl(empty), {
    onStep: (step) => {
      if (step === 'saved') process.kill(postmaster(folder), 'SIGKILL')
    },
  })
  await expect(cut).rejects.toThrow('the embedded PostgreSQL stopped')
  expect(await findOwner(open(empty))).toBeUndefined()
  expect(await catalogJson(['project', 'list'])).toHaveLength(1)
})

test('a move that is killed at any step is completed by the next run: the target serves the same bytes with AI providers disabled, and the embedded database cannot be used until moved.json is removed', {
  timeout: 240_000,
}, async () => {
  const target = await emptyDatabase('moved')
  const database = open(target)
  const refused = { code: 1, stderr: expect.stringContaining('run "catalog move" again') }
  for (const [step, isMarked, hasArrived] of [
    ...(isLong ? [['alone', false, false] as const, ['saved', false, false] as const] : []),
    ['announced', true, false],
    ['restored', true, true],
  ] as const) {
    await untilKilled('killed-move.ts', folder, connectionUrl(target), step)
    expect([existsSync(mark), (await findOwner(database)) !== undefined]).toEqual([isMarked, hasArrived])
    const used = await catalog(['project', 'list'])
    expect(used).toMatchObject(isMarked ? refused : { code: 0 })
  }
  const finished = await moveTo(target)
  expect(finished).toMatchObject({ code: 0, stdout: expect.stringContaining('already contains all data') })
  expect(finished.stdout).toContain(`the files are in ${media}; set CATALOG_MEDIA`)
  expect(readdirSync(folder)).not.toContain('copy')
  const { url } = await startTestService({ media }, target)
  expect(await responses(url)).toEqual(before)
  const restores = await database.query(sql<{ kind: string }>`select kind from restores`)
  expect(restores).toEqual([{ kind: 'move' }])
  const key = await database.query(sql<{ value: string }>`select value from secrets where name = 'webhooks'`)
  expect(key).toEqual([{ value: 'a key' }])
  // The original could be started again.
  expect(await database.query(sql`select name, state from ai_offers`)).toEqual([
    { name: 'house', state: 'disabled' },
  ])

  const { code, stderr } = await catalog(['project', 'list'])
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/was moved to .*; set DATABASE_URL .* remove .*moved\.json/),
  ])
  expect(JSON.parse(readFileSync(mark, 'utf8'))).toMatchObject({ is_complete: true })
  expect(readFileSync(mark, 'utf8')).not.toContain(connectionUrl(target))
  expect((await moveTo(target)).code).toBe(0)
  expect((await moveTo(await emptyDatabase('other'))).stderr).toContain('was moved to')
  rmSync(mark)
  expect(await catalogJson(['project', 'list'])).toHaveLength(1)
})
