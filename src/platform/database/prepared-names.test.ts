import { expect, inject, test } from 'vitest'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { openDatabase } from './database.ts'
import { listing, raw, sql } from './sql.ts'

const database = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 5 })
whenFileEnds(() => database.close())

const preparedLike = async (pattern: string) => {
  const found = await database.query(
    sql<{ count: number }>`select count(*) from pg_prepared_statements where statement like ${pattern}`,
  )
  return found[0]?.count
}

test('lists in however many orders are prepared up to a limit, and take no names from other statements', async () => {
  for (let order = 0; order < 300; order += 1)
    await database.query(listing(raw(`select 1 as listed order by ${order} + 1`)))
  await database.query(raw('select 1 as other'))
  expect([await preparedLike('%listed%'), await preparedLike('%as other')]).toEqual([250, 1])
})
