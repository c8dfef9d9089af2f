import {
  isInRow,
  type ShownProducts,
  sentFields,
  sentIds,
  shownRow,
} from '../../model/product/compare-read-only.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findProducts } from '../products/product.sql.ts'
import type { ShowProducts } from '../products/show-product.ts'

type SentLines = {
  products: readonly PushedProduct[]
  /** The loaded products. */
  rows: readonly ProductRow[]
  /** Products that a dry run remembers from earlier batches. They have no read-only fields. */
  known: ReadonlyMap<string, { id: number | undefined }>
}

/** The products whose read-only fields lines send back, as they are before the batch. Sends no query if there are none. */
export async function findShownProducts(
  database: Queryable,
  projectId: number,
  show: ShowProducts,
  { products, rows, known }: SentLines,
): Promise<ShownProducts> {
  const sent = sentFields(products)
  if (sent.size === 0) return { bySku: new Map(), ownIds: new Set() }
  const remembered = [...sent.keys()].flatMap((sku) => known.get(sku)?.id ?? [])
  const keys = remembered.map((id) => ({ projectId, id }))
  const found = keys.length === 0 ? new Map() : await findProducts(database, keys)
  const loaded = [...rows.filter(({ sku }) => sent.has(sku)), ...found.values()]
  const isPlain = ({ sku }: ProductRow) => isInRow(sent.get(sku) ?? new Set())
  const others = loaded.filter((row) => !isPlain(row))
  const shown = [...loaded.filter(isPlain).map(shownRow), ...(await show(database, others))]
  const bySku = new Map(shown.map((one) => [one.sku, one]))
  const ids = sentIds(products)
  return { bySku, ownIds: ids.length === 0 ? new Set() : await findExistingIds(database, projectId, ids) }
}

/** The IDs that exist in the project. */
async function findExistingIds(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await database.query(
    sql<{
      id: number
    }>`select id from products where project_id = ${projectId} and id = any(${ids}::bigint[])`,
  )
  return new Set(rows.map(({ id }) => id))
}
