import type pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { catalog } from '../../../test/processes/catalog-process.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, requireSchema } from './migrate.ts'
import { thisRelease } from './migration/migration-file.ts'
import { readMigrationState } from './migration/state.ts'
import { raw, sql } from './sql.ts'

let connection: pg.ClientConfig
beforeAll(async () => {
  connection = await ownDatabase('schema')
})

function open(): Database {
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 0 })
  onTestFinished(() => database.close())
  return database
}

/** Until the test ends. */
async function addUnknownMigration(database: Database, oldestRelease?: string): Promise<void> {
  await database.query(
    sql`insert into migrations (name, checksum, oldest_release) values ('9999_later.sql', 'x', ${oldestRelease})`,
  )
  onTestFinished(async () => {
    await database.query(sql`delete from migrations where name = '9999_later.sql'`)
  })
}

const later = '0022_access_requests.sql'

describe('a command of a newer version', () => {
  test('does not change the schema of a running older service, and reports what to run', {
    tags: 'slow',
  }, async () => {
    const database = open()
    const [kept] = await database.query(
      sql<{ checksum: string }>`delete from migrations where name = ${later} returning checksum`,
    )
    const { code, stderr } = await catalog(['project', 'list'], { DATABASE_URL: connectionUrl(connection) })
    expect(code).toBe(1)
    expect(stderr).toContain(`the database lacks ${later}, which this version needs;`)
    expect(stderr).toContain('run "catalog migrate" or start the service')
    expect((await readMigrationState(database, thisRelease())).pending).toEqual([later])
    await database.query(sql`insert into migrations (name, checksum) values (${later}, ${kept?.checksum})`)
  })

  test('waits for a process that is migrating', async () => {
    const database = open()
    await database.session(async (client) => {
      await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration])
      await client.query('update migrations set name = $1 where name = $2', [`9${later}`, later])
      const work = requireSchema(open())
      const asking = `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory%'`
      await expect.poll(async () => (await client.query(asking)).rowCount).toBeGreaterThan(0)
      await client.query('update migrations set name = $1 where name = $2', [later, `9${later}`])
      await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migration])
      await work
    })
  })

  test('creates the schema in an empty database', { tags: 'slow' }, async () => {
    const database = open()
    await database.query(raw('drop schema public cascade'))
    await database.query(raw('create schema public'))
    await requireSchema(database)
    expect((await readMigrationState(database, thisRelease())).pending).toEqual([])
    expect(await migrate(database)).toEqual([])
  })

  test('is refused by an even newer database', async () => {
    const database = open()
    await addUnknownMigration(database)
    for (const check of [migrate, requireSchema])
      await expect(check(database)).rejects.toThrow('9999_later.sql, which this version does not know')
  })
})

describe('a command of an older version', () => {
  test.each([
    ['runs where the newer schema lets it', '0.0.1', 0, ''],
    ['says which version to run where it does not', '999.0.0', 1, 'run version 999.0.0 or newer'],
  ])('%s', async (_, oldest, code, words) => {
    await addUnknownMigration(open(), oldest)
    const run = await catalog(['project', 'list'], { DATABASE_URL: connectionUrl(connection) })
    expect(run).toMatchObject({ code, stderr: expect.stringContaining(words) })
  })
})

test('each migration states which release can run after it, except the first ones', () => {
  const silent = thisRelease().migrations.filter(({ oldestRelease }) => oldestRelease === null)
  expect(silent.at(-1)?.name).toBe('0024_shared_rate_limits.sql')
})
