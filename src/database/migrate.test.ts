import type pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { catalog } from '../../test/catalog-process.ts'
import { connectionUrl, ownDatabase } from '../../test/test-database.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, requireSchema } from './migrate.ts'
import { readMigrationState } from './migration-state.ts'
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

const later = '0022_access_requests.sql'

describe('a command of a newer version', () => {
  test('leaves the schema of a running older service as it is, and says what to run', async () => {
    const database = open()
    const [kept] = await database.query(
      sql<{ checksum: string }>`delete from migrations where name = ${later} returning checksum`,
    )
    const { code, stderr } = await catalog(['project', 'list'], { DATABASE_URL: connectionUrl(connection) })
    expect(code).toBe(1)
    expect(stderr).toContain(`the database lacks ${later}, which this version needs;`)
    expect(stderr).toContain('run "catalog migrate" or start the service')
    expect((await readMigrationState(database)).pending).toEqual([later])
    await database.query(sql`insert into migrations (name, checksum) values (${later}, ${kept?.checksum})`)
  })

  test('waits for one that migrates at that moment', async () => {
    const database = open()
    const waiting = await database.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(4270011)`)
      await database.query(sql`update migrations set name = '9' || name where name = ${later}`)
      const work = requireSchema(open())
      await expect
        .poll(async () => {
          const rows = await tx.query(sql`select from pg_locks where locktype = 'advisory' and not granted`)
          return rows.length
        })
        .toBeGreaterThan(0)
      await tx.query(sql`update migrations set name = ${later} where name = '9' || ${later}`)
      return { work }
    })
    await waiting.work
  })

  test('makes the schema where there is none', async () => {
    const database = open()
    await database.query(raw('drop schema public cascade'))
    await database.query(raw('create schema public'))
    await requireSchema(database)
    expect((await readMigrationState(database)).pending).toEqual([])
    expect(await migrate(database)).toEqual([])
  })

  test('is refused by a database that is newer still', async () => {
    const database = open()
    await database.query(sql`insert into migrations values ('9999_later.sql', 'x')`)
    for (const check of [migrate, requireSchema])
      await expect(check(database)).rejects.toThrow('9999_later.sql, which this version does not know')
  })
})
