import { expect, inject, test } from 'vitest'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { openDatabase } from '../database.ts'
import { sql } from '../sql.ts'
import { shareConnections } from './connection-classes.ts'
import { takeTurns } from './take-turns.ts'

test('work of many hands lets others at the connection that they share after one statement of its own', async () => {
  const database = openDatabase({
    connection: inject('connection'),
    poolSize: shareConnections(11),
    statementTimeoutSeconds: 5,
  })
  whenFileEnds(() => database.close())
  const done: string[] = []
  const many = takeTurns(database.background)
  const query = (writable: typeof many, name: string) =>
    writable.query(sql`select pg_sleep(0.01)`).then(() => done.push(name))
  await Promise.all([
    ...Array.from({ length: 10 }, () => query(many, 'many')),
    many.transaction((tx) => tx.query(sql`select`)).then(() => done.push('transaction')),
    query(database.background, 'other'),
  ])
  expect(done.indexOf('other')).toBeLessThanOrEqual(1)
  expect(done.at(-1)).toBe('transaction')
})
