import { join } from 'node:path'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { whenFileEnds } from '../../test/file-end.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { emptyDatabase, ownDatabase } from '../../test/test-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { restoreBackup } from './restore-backup.ts'
import { isRestoredFrom, restoresMigration } from './restores.sql.ts'
import { saveBackup } from './save-backup.ts'

function open(connection: pg.ClientConfig): Database {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  whenFileEnds(() => database.close())
  return database
}

test('a database tells every backup that it came out of, also one of a schema that could not tell it', async () => {
  const folder = temporaryFolder()
  const source = await ownDatabase('older')
  await open(source).query(sql`drop table restores`)
  await open(source).query(sql`delete from migrations where name = ${restoresMigration}`)
  const first = await saveBackup(source, join(folder, 'first.backup'))
  const middle = await emptyDatabase('middle')
  await restoreBackup(middle, join(folder, 'first.backup'))
  expect(await isRestoredFrom(open(middle), first.manifest.id)).toBe(true)

  const second = await saveBackup(middle, join(folder, 'second.backup'))
  const target = await emptyDatabase('told')
  await restoreBackup(target, join(folder, 'second.backup'), { kind: 'move' })
  const database = open(target)
  const rows = await database.query(sql<{ backup_id: string; kind: string; epoch: string }>`
    select backup_id, kind, epoch from restores order by id`)
  expect(rows).toMatchObject([
    { backup_id: first.manifest.id, kind: 'restore' },
    { backup_id: second.manifest.id, kind: 'move' },
  ])
  expect(rows[0]?.epoch).not.toBe(rows[1]?.epoch)
  expect(await isRestoredFrom(database, first.manifest.id)).toBe(false)
})
