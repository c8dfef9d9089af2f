import type { ProductDetail } from '../../model/product/product.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readOnlyOf } from '../../platform/http/request/read-only.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { readStructures } from '../structure/read-structure.ts'
import { describeProduct } from './describe-product.ts'
import type { ReadOnly } from './without-read-only.ts'

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

export type ShowProducts = (database: Queryable, rows: readonly ProductRow[]) => Promise<ProductDetail[]>

/** How a project's products are shown, for a push that compares what its lines send back. */
export function shownIn(rulesets: Rulesets, currency: string): ShowProducts {
  return (database, rows) => showProducts(database, rulesets, rows, currency)
}

/** What a request sends back of what it has read, to be compared with the product as it is once it is locked. */
export function readOnlyFor(
  rulesets: Rulesets,
  { body, caller }: { body: object; caller: { currency: string } },
): ReadOnly | undefined {
  const sent = readOnlyOf(body)
  return sent && { sent, show: (database, row) => showProduct(database, rulesets, row, caller.currency) }
}
