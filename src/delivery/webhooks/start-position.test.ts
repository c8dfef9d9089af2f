import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { recordEvents } from '../../model/events/record-events.sql.ts'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { numberEvents } from '../events/number-events.sql.ts'
import { findStartPosition } from './start-position.ts'

test('now is after every committed event, also while another process numbers them', async () => {
  const connection = await ownDatabase('start_position')
  const database = openDatabase({ connection, poolSize: 4, statementTimeoutSeconds: 5 })
  const change = { type: 'category.created', actor: 'tester', source: 'api', objects: [{ id: 1 }] } as const
  await database.transaction((tx) => recordEvents(tx, 1, change))

  const { promise: numbered, resolve: number } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const other = database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.eventNumbering})`)
    lock()
    await numbered
    await numberEvents(tx)
  })
  await locked
  const start = findStartPosition(database, 1, 'now', '/from')
  await expect
    .poll(async () => {
      const [row] = await database.query(sql<{ waiting: number }>`
        select count(*) as waiting from pg_locks where locktype = 'advisory' and objid = ${advisoryLocks.eventNumbering} and not granted`)
      return row?.waiting
    })
    .toBe(1)
  number()
  await other
  expect(await start).toMatchObject({ number: 1 })
  await database.close()
})
