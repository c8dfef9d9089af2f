import { countWrongCounts, repairCounts } from '../../catalog/products/product-counts.sql.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Check, type Finding, failure, ok, onDatabase } from './check.ts'

/** Compares the kept counts of products with the products. It reads all products, so it has no time limit. */
export const countsCheck: Check = onDatabase('counts', async (quick, { connection = {}, repair }) => {
  const [table] = await quick.query(
    sql<{ found: boolean }>`select to_regclass('product_counts') is not null as found`,
  )
  if (table?.found !== true) return ok('nothing to compare before the migrations are applied')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    return await judgeCounts(database, repair)
  } finally {
    await database.close()
  }
})

async function judgeCounts(database: Database, repair: boolean): Promise<Finding> {
  const wrong = await countWrongCounts(database)
  if (wrong === 0) return ok('every kept count, and every category link, agrees with the products')
  if (repair)
    return ok(
      `${await database.transaction(repairCounts)} kept counts and links were wrong and are right now`,
    )
  return failure(
    `${wrong} kept counts and category links differ from the products`,
    'run "catalog doctor --repair"; and look who writes to the tables without their triggers',
  )
}
