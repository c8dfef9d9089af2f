import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../../../test/database/test-database.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { type Database, openDatabase } from '../database.ts'
import { migrate, requireSchema } from '../migrate.ts'
import { raw } from '../sql.ts'
import { type Release, readMigrations } from './migration-file.ts'

let database: Database
beforeAll(async () => {
  const connection = await emptyDatabase('releases')
  database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 0 })
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.query(raw('drop schema public cascade'))
  await database.query(raw('create schema public'))
})

/** A release whose migrations have these headers. */
function release(version: string, headers: string[]): Release {
  const folder = temporaryFolder()
  for (const [number, header] of headers.entries())
    writeFileSync(join(folder, `${number + 1}.sql`), `${header}\nselect 1;\n`)
  return { version, migrations: readMigrations(folder) }
}

const first = () => release('1.9.0', ['-- The first.'])
const second = () => release('1.10.0', ['-- The first.', '-- The second.\n-- oldest release: 1.9.0'])
const third = () =>
  release('2.0.0', [
    '-- The first.',
    '-- The second.\n-- oldest release: 1.9.0',
    '-- outside a transaction\n-- oldest release: 1.10.0',
  ])

describe('a release runs on the schema of a newer one', () => {
  test('from the oldest that every new migration names', async () => {
    await migrate(database, { release: second() })
    await requireSchema(database, { release: first() })
    expect(await migrate(database, { release: first() })).toEqual([])

    await migrate(database, { release: third() })
    await requireSchema(database, { release: second() })
    const refusal = 'has migration 3.sql, which this version does not know; run version 1.10.0 or newer'
    await expect(requireSchema(database, { release: first() })).rejects.toThrow(refusal)
    await expect(migrate(database, { release: first() })).rejects.toThrow(refusal)
  })

  test('not where a migration names none', async () => {
    await migrate(database, { release: release('2.0.0', ['-- The first.', '-- The second.']) })
    await expect(requireSchema(database, { release: first() })).rejects.toThrow(
      'has migration 2.sql, which this version does not know; run the newer version',
    )
  })

  test('not while a newer one migrates outside a transaction, nor after that was cut short', async () => {
    await migrate(database, { release: first() })
    const broken = release('2.0.0', [
      '-- The first.',
      '-- outside a transaction\n-- oldest release: 2.0.0\nselect 1 / 0;',
    ])
    await expect(migrate(database, { release: broken })).rejects.toThrow('division by zero')
    await expect(requireSchema(database, { release: first() })).rejects.toThrow('run version 2.0.0 or newer')
    const fixed = release('2.0.0', [
      '-- The first.',
      '-- outside a transaction\n-- oldest release: 2.0.0\nselect 2;',
    ])
    expect(await migrate(database, { release: fixed })).toEqual(['2.sql'])
  })

  test('and adds nothing of its own to it', async () => {
    await migrate(database, { release: third() })
    await database.query(raw(`delete from migrations where name = '2.sql'`))
    await expect(migrate(database, { release: second() })).rejects.toThrow('and lacks 2.sql; run the newer')
  })
})

test('a release that finds an older schema reports which services to stop first', async () => {
  await migrate(database, { release: first() })
  await expect(requireSchema(database, { release: third() })).rejects.toThrow(
    'the database lacks 2.sql, 3.sql, which this version needs; stop the services older than 1.10.0, then run',
  )
})

test('a database of the first releases, which knew no range, is migrated', async () => {
  await migrate(database, { release: first() })
  await database.query(raw('alter table migrations drop column oldest_release, drop column is_complete'))
  await requireSchema(database, { release: first() })
  expect(await migrate(database, { release: second() })).toEqual(['2.sql'])
  await requireSchema(database, { release: first() })
})

test('an invalid release is rejected before anything is applied', () => {
  expect(() => release('1.0.0', ['-- oldest release: next'])).toThrow('1.sql: "next" is not a release')
})
