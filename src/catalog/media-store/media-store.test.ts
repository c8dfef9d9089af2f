import { cp, rm } from 'node:fs/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { diskStore } from '../../platform/file-store/disk-store.ts'
import { joinStore } from './media-store.ts'

let database: Database
beforeEach(async () => {
  const connection = await ownDatabase('media_store')
  database = openDatabase({ connection, poolSize: 4, statementTimeoutSeconds: 30 })
  onTestFinished(() => database.close())
})

test('the first store belongs to the database, and another folder is refused', async () => {
  const [own, other] = [temporaryFolder(), temporaryFolder()]
  expect(await joinStore(database, diskStore(own))).toBeUndefined()
  expect(await joinStore(database, diskStore(own))).toBeUndefined()
  expect(await joinStore(database, diskStore(other))).toContain('not the store that has the files')
  expect(await diskStore(other).get('catalog-media')).toBeUndefined()
})

test('of several new folders that are used at once, only one is accepted', async () => {
  const stores = Array.from({ length: 4 }, () => diskStore(temporaryFolder()))
  const found = await Promise.all(stores.map((store) => joinStore(database, store)))
  expect(found.filter((problem) => problem === undefined)).toHaveLength(1)
})

test('a moved folder is accepted, and an emptied one is not', async () => {
  const [before, after] = [temporaryFolder(), temporaryFolder()]
  await joinStore(database, diskStore(before))
  await cp(before, after, { recursive: true })
  expect(await joinStore(database, diskStore(after))).toBeUndefined()
  await rm(`${before}/catalog-media`)
  expect(await joinStore(database, diskStore(before))).toContain('not the store that has the files')
})

test('a store that belongs to another database is refused', async () => {
  const folder = temporaryFolder()
  await diskStore(folder).put('catalog-media', { bytes: Buffer.from('another id') })
  expect(await joinStore(database, diskStore(folder))).toContain('another database')
})
