import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { type Change, recordEvents } from '../../model/events/record-events.sql.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findFeedLag } from './feed-lag.sql.ts'
import { numberEvents } from './number-events.sql.ts'

const created = (id: number): Change => ({
  type: 'category.created',
  actor: 'tester',
  source: 'api',
  objects: [{ id }],
})

test('late commits get later numbers, a rollback leaves no gap, and concurrent numbering assigns no number twice', async () => {
  const connection = await ownDatabase('numbering')
  const database = openDatabase({ connection, poolSize: 4, statementTimeoutSeconds: 5 })
  const numbers = () =>
    database.query(
      sql`select number, object_ids[1] as id from event_feed where project_id = 1 order by number`,
    )
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const late = database.transaction(async (tx) => {
    await recordEvents(tx, 1, created(1))
    await mayEnd
  })
  await database.transaction((tx) => recordEvents(tx, 1, created(2)))
  const rejected = database.transaction(async (tx) => {
    await recordEvents(tx, 1, created(3))
    throw new Error('rejected')
  })
  await expect(rejected).rejects.toThrow('rejected')
  expect(await numberEvents(database)).toEqual([1])
  expect(await numbers()).toEqual([{ number: 1, id: 2 }])

  end()
  await late
  await Promise.all([numberEvents(database), numberEvents(database)])
  expect(await numberEvents(database)).toEqual([])
  expect(await numbers()).toEqual([
    { number: 1, id: 2 },
    { number: 2, id: 1 },
  ])
  await database.close()
})

test('events are numbered after the database moved to a server with lower transaction ids', async () => {
  const connection = await ownDatabase('moved')
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 5 })
  await database.query(sql`update event_numbering set seen = '900000000000:900000000009:900000000003'`)
  await database.transaction((tx) => recordEvents(tx, 1, created(1)))
  expect(await findFeedLag(database)).toBeGreaterThan(0)
  expect(await numberEvents(database)).toEqual([1])
  await database.transaction((tx) => recordEvents(tx, 1, created(2)))
  expect(await numberEvents(database)).toEqual([1])
  expect([await findFeedLag(database), await numberEvents(database)]).toEqual([0, []])
  await database.close()
})
