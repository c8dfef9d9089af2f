import type { Queryable } from '../database/database.ts'
import type { Rulesets } from '../quality/rulesets.ts'
import { readStructures } from '../structure/read-structure.ts'
import { describeProduct, type ProductRow } from './describe-product.ts'
import type { ProductDetail } from './product.schema.ts'

/** A product as answers show it, with all that is kept elsewhere: the rules that scored it, and what it is to others. */
export async function showProduct(
  database: Queryable,
  rulesets: Rulesets,
  row: ProductRow,
  currency: string,
): Promise<ProductDetail> {
  const structures = await readStructures(database, [row])
  return describeProduct(row, currency, await rulesets.ofRow(row), structures.get(row.id))
}

/** Those of a page, with a look at each of those places for all of them. */
export async function showProducts(
  database: Queryable,
  rulesets: Rulesets,
  rows: readonly ProductRow[],
  currency: string,
): Promise<ProductDetail[]> {
  const rulesetOf = await rulesets.ofRows(rows)
  const structures = await readStructures(database, rows)
  return rows.map((row) => describeProduct(row, currency, rulesetOf(row), structures.get(row.id)))
}
