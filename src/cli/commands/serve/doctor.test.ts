import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../../test/database/test-database.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { dataFolder, temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { judgeCertificate } from '../../../operations/doctor/check-certificate.ts'
import { judgeClock, judgeMigrations } from '../../../operations/doctor/check-database.ts'
import { judgeDisk } from '../../../operations/doctor/check-disk.ts'
import { judgeDurability } from '../../../operations/doctor/check-server.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { thisRelease } from '../../../platform/database/migration/migration-file.ts'
import { readMigrationState } from '../../../platform/database/migration/state.ts'
import { raw, sql } from '../../../platform/database/sql.ts'
import { ensureSelfSigned } from '../../../platform/http/tls/self-signed.ts'

const url = { DATABASE_URL: connectionUrl(inject('connection')) }
const { catalog } = commandRunner(url)

type Report = { status: string; checks: { check: string; status: string; detail: string; advice?: string }[] }

async function examine(args: string[], extra: Record<string, string> = url) {
  const { code, stdout, stderr } = await catalog(['doctor', '--json', ...args], extra)
  const report = JSON.parse(stdout) as Report
  return {
    code,
    stdout,
    stderr,
    ...report,
    of: (name: string) => report.checks.find(({ check }) => check === name),
  }
}

async function databaseWith(purpose: string, settings: string[]): Promise<{ DATABASE_URL: string }> {
  const connection = await ownDatabase(purpose)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  const [row] = await database.query(sql<{ name: string }>`select current_database() as name`)
  for (const setting of settings) await database.query(raw(`alter database ${row?.name} set ${setting}`))
  await database.close()
  return { DATABASE_URL: connectionUrl(connection) }
}

describe('catalog doctor', () => {
  test('exits with 0 if all checks pass', async () => {
    const { code, status, checks } = await examine(
      [],
      await databaseWith('usual', ['synchronous_commit = on']),
    )
    expect([code, status]).toEqual([0, 'ok'])
    expect(checks.map(({ check }) => check)).toEqual([
      'configuration',
      'certificate',
      'disk',
      'database',
      'migrations',
      'connections',
      'clock',
      'writes',
      'durability',
      'isolation',
      'pooler',
      'counts',
      'structure',
      'views',
      'sign-in',
      'events',
      'jobs',
      'AI providers',
      'media files',
      'thumbnails',
      'backups',
    ])
  })

  test('reports what is wrong and how to fix it', async () => {
    const { code, stdout } = await catalog(['doctor'], {
      DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/none',
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ok {7}configuration {2}listens on 127\.0\.0\.1, port 8080, with 1 worker$/m)
    expect(stdout).toMatch(/^failure {2}database .*127\.0\.0\.1:1\/none cannot be reached/m)
    expect(stdout).toMatch(/^ +→ fix the cause/m)
    expect(stdout).not.toContain('secret')
  })

  test('before the first start, all checks pass and nothing is created', async () => {
    const folder = temporaryFolder()
    const { code, of } = await examine(['--data', join(folder, 'data'), '--tls', 'self-signed'], {})
    expect(code).toBe(0)
    expect(of('certificate')?.detail).toBe('self-signed; the service creates it at the next start')
    expect(of('database')?.detail).toContain('before the first start')
    expect(readdirSync(folder)).toEqual([])
  })

  test('checks an embedded database without changing it', async () => {
    const folder = dataFolder()
    const { code, of } = await examine(['--data', folder], {})
    expect(code).toBe(0)
    for (const name of ['migrations', 'database', 'durability'])
      expect(of(name), name).toMatchObject({ status: 'ok' })
    expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false)
  })

  test.each([
    [['--host', '0.0.0.0'], 'loopback only'],
    [['--host', '0.0.0.0', '--behind-proxy'], 'needs --base-url'],
    [['--port', 'many'], 'port'],
  ])('takes the settings of serve: %j fails', async (args, message) => {
    const { code, checks } = await examine(args)
    expect(code).toBe(1)
    expect(checks).toHaveLength(1)
    expect(checks[0]).toMatchObject({ check: 'configuration', status: 'failure' })
    expect(checks[0]?.detail).toContain(message)
  })

  test('fails for a certificate that the service would not start with', async () => {
    const args = ['--tls-cert', '/nowhere.pem', '--tls-key', '/nowhere.key']
    const { code, of } = await examine(args)
    expect(code).toBe(1)
    expect(of('certificate')).toMatchObject({ status: 'failure' })
    expect(of('certificate')?.detail).toContain('/nowhere.pem cannot be read')
  })
})

describe('an unusual server', () => {
  test('fault 29: is reported: read-only, without synchronous commits, with another isolation level', async () => {
    const settings = [
      'synchronous_commit = off',
      "default_transaction_isolation = 'serializable'",
      'default_transaction_read_only = on',
    ]
    const { code, of } = await examine([], await databaseWith('unusual', settings))
    expect(code).toBe(0)
    expect(of('writes')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('default_transaction_read_only is on'),
    })
    expect(of('durability')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('synchronous_commit is off'),
    })
    expect(of('isolation')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('serializable'),
    })
  })

  const safe = {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    synchronous_standby_names: '',
  }
  test.each([
    [{}, 'ok', 'on disk'],
    [{ fsync: 'off' }, 'warning', 'fsync is off'],
    [{ full_page_writes: 'off' }, 'warning', 'full_page_writes is off'],
    [{ fsync: 'off', full_page_writes: 'off' }, 'warning', 'fsync and full_page_writes are off'],
    [{ synchronous_commit: 'off' }, 'warning', 'synchronous_commit is off'],
    [{ synchronous_commit: 'local' }, 'ok', 'on disk'],
    [
      { synchronous_commit: 'local', synchronous_standby_names: 'two' },
      'warning',
      'synchronous_commit is local',
    ],
  ])('with %j: %s', (changed, status, detail) => {
    expect(judgeDurability({ ...safe, ...changed })).toMatchObject({
      status,
      detail: expect.stringContaining(detail),
    })
  })
})

describe('the certificate', () => {
  const days = 24 * 3600 * 1000
  const inDays = (count: number) => new Date(Date.now() + count * days)

  test('is checked for its validity dates, its names and the mode of its key', async () => {
    const files = await ensureSelfSigned(temporaryFolder())
    const judge = (baseUrl?: string, now?: Date) => judgeCertificate(files, baseUrl, undefined, now)
    expect(judge('https://localhost:8443').status).toBe('ok')
    expect(judge('https://[::1]:8443').status).toBe('ok')
    expect(judge('https://catalog.example')).toMatchObject({ status: 'warning' })
    expect(judge(undefined, inDays(380))).toMatchObject({ status: 'warning' })
    expect(judge(undefined, inDays(400))).toMatchObject({ status: 'failure' })
    expect(judge(undefined, inDays(-2))).toMatchObject({ status: 'failure' })
    chmodSync(files.key, 0o644)
    expect(judge()).toMatchObject({ status: 'warning', advice: `run "chmod 600 ${files.key}"` })
    writeFileSync(files.key, 'nonsense')
    expect(judge()).toMatchObject({ status: 'failure' })
  })
})

describe('the migrations', () => {
  test('are reported as applied, pending, changed or newer', async () => {
    const database = openDatabase({
      connection: inject('connection'),
      poolSize: 1,
      statementTimeoutSeconds: 5,
    })
    const undo = new Error('undo')
    const judgedAfter = async (change: string) => {
      let judged: ReturnType<typeof judgeMigrations> | undefined
      await database
        .transaction(async (tx) => {
          await tx.query(raw(change))
          judged = judgeMigrations(await readMigrationState(tx, thisRelease()))
          throw undo
        })
        .catch((error) => expect(error).toBe(undo))
      return judged
    }
    expect(await judgedAfter('select 1')).toMatchObject({ status: 'ok' })
    expect(await judgedAfter(`delete from migrations where name like '0003%'`)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('pending: 0003'),
    })
    expect(await judgedAfter('set local search_path = pg_temp')).toMatchObject({ status: 'warning' })
    expect(await judgedAfter(`update migrations set checksum = 'x' where name like '0001%'`)).toMatchObject({
      status: 'failure',
      detail: expect.stringContaining('have changed since'),
    })
    expect(await judgedAfter(`insert into migrations values ('9999_later.sql', 'x')`)).toMatchObject({
      status: 'failure',
      detail: expect.stringContaining('9999_later.sql'),
    })
    const later = (oldest: string) =>
      `insert into migrations (name, checksum, oldest_release) values ('9999_later.sql', 'x', '${oldest}')`
    expect(await judgedAfter(later('999.0.0'))).toMatchObject({
      status: 'failure',
      advice: 'run version 999.0.0 or newer',
    })
    expect(await judgedAfter(later('0.0.1'))).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('newer version: 9999_later.sql'),
    })
    expect(await database.query(sql`select 1 from migrations where name like '9999%'`)).toEqual([])
    await database.close()
  })
})

test.each([
  [0.2, 'ok'],
  [-0.2, 'ok'],
  [3, 'warning'],
  [-3, 'warning'],
  [301, 'failure'],
])("a database's clock that is %d s ahead: %s", (seconds, status) => {
  expect(judgeClock(seconds).status).toBe(status)
})

test.each([
  [100, 'ok'],
  [1.5, 'warning'],
  [0.1, 'failure'],
])('%d GiB of free disk: %s', (gibibytes, status) => {
  expect(judgeDisk(gibibytes * 1024 ** 3, '/data').status).toBe(status)
})
