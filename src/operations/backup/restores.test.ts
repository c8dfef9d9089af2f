import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { emptyDatabase, ownDatabase } from '../../../test/database/test-database.ts'
import { scaled } from '../../../test/faults/scale.ts'
import { untilKilled } from '../../../test/processes/until-killed.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { createFolder, temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { openBackup } from './open-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { isRestoredFrom, restoresMigration } from './restores.sql.ts'
import { type SavedBackup, saveBackup } from './save-backup.ts'
import { findOwner } from './schema.sql.ts'

const release = thisRelease()
/** A backup of a database with an older schema. */
let olderBackup: SavedBackup & { file: string }
beforeAll(async () => {
  const source = await emptyDatabase('older')
  const migrations = release.migrations.filter(({ name }) => name < '0040')
  await migrate(open(source), { release: { ...release, migrations } })
  await open(source).query(write(sql`insert into projects (name) values ('Old shop')`))
  const folder = createFolder()
  whenFileEnds(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'first.backup')
  olderBackup = { ...(await saveBackup(source, file)), file }
})

function open(connection: pg.ClientConfig): Database {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  whenFileEnds(() => database.close())
  return database
}

test('a killed restore leaves the database empty; a second one works and migrates older data', async () => {
  const restored = await ownDatabase('cut')
  const database = open(restored)
  for (const step of scaled(['indexes'], ['rows', 'indexes', 'commit'])) {
    await untilKilled('killed-restore.ts', JSON.stringify(restored), olderBackup.file, step)
    expect(await findOwner(database)).toBeUndefined()
  }
  const { applied } = await restoreBackup(restored, await openBackup(olderBackup.file))
  const newer = release.migrations.filter(({ name }) => name >= '0040' && name !== restoresMigration)
  expect(applied).toEqual(newer.map(({ name }) => name))
  expect(await findOwner(database)).toBe('the project "Old shop"')
})

test('a database records every backup that it was restored from, also from older schemas', async () => {
  const restored = await emptyDatabase('restored')
  await restoreBackup(restored, await openBackup(olderBackup.file))
  expect(await isRestoredFrom(open(restored), olderBackup.manifest.id)).toBe(true)
  const file = join(temporaryFolder(), 'second.backup')
  const second = await saveBackup(restored, file)
  const target = await emptyDatabase('reported')
  await restoreBackup(target, await openBackup(file), { kind: 'move' })
  const database = open(target)
  const rows = await database.query(sql<{ backup_id: string; kind: string; epoch: string }>`
    select backup_id, kind, epoch from restores order by id`)
  expect(rows).toMatchObject([
    { backup_id: olderBackup.manifest.id, kind: 'restore' },
    { backup_id: second.manifest.id, kind: 'move' },
  ])
  expect(rows[0]?.epoch).not.toBe(rows[1]?.epoch)
  expect(await isRestoredFrom(database, olderBackup.manifest.id)).toBe(false)
})
