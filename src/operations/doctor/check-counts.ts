import { countWrongCounts, repairCounts } from '../../catalog/products/product-counts.sql.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Check, type Finding, failure, ok, onDatabase } from './check.ts'

/** Compares the stored product counts with the products. It reads all products, so it has no time limit. */
export const countsCheck: Check = onDatabase('counts', async (quick, { connection = {}, repair }) => {
  const [table] = await quick.query(
    sql<{ found: boolean }>`select to_regclass('product_counts') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    return await judgeCounts(database, repair)
  } finally {
    await database.close()
  }
})

async function judgeCounts(database: Database, repair: boolean): Promise<Finding> {
  const wrong = await countWrongCounts(database)
  if (wrong === 0) return ok('all stored counts and category links match the products')
  if (repair) return ok(`fixed ${await database.transaction(repairCounts)} stored counts and category links`)
  return failure(
    `${wrong} stored counts and category links do not match the products`,
    'run "catalog doctor --repair", and find out what writes to the tables with triggers disabled',
  )
}
