import {
  isInRow,
  type ShownProducts,
  sentFields,
  sentIds,
  shownRow,
} from '../../model/product/compare-read-only.ts'
import { largeBytes } from '../../model/product/product-columns.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, type Sql, sql, write } from '../../platform/database/sql.ts'
import { findProducts } from '../products/product.sql.ts'
import type { ShowProducts } from '../products/show-product.ts'

/*
 * Pushes never deadlock with each other. An atomic push locks the whole project. Other pushes lock in the same order: existing
 * products by ID, then categories by name, then new products by SKU.
 */

/** Held until the transaction ends. While the lock is exclusive, no other push writes to the project. */
export function lockPushes(tx: Transaction, projectId: number, isExclusive: boolean): Promise<void> {
  return lockInProject(tx, advisoryLocks.push, projectId, isExclusive ? 'alone' : 'shared')
}

/** `locked` has the IDs of products that the transaction has already locked, by SKU. */
type Finding = { forUpdate: boolean; locked?: ReadonlyMap<string, number> | undefined }

/** The products with these SKUs. With `forUpdate`, they are locked until the transaction ends. */
export async function findPushedProducts(
  database: Queryable,
  projectId: number,
  skus: string[],
  { forUpdate, locked = new Map() }: Finding,
): Promise<ProductRow[]> {
  const others = skus.filter((sku) => !locked.has(sku))
  const found = others.length === 0 ? [] : await findIds(database, projectId, others, forUpdate)
  const ids = [...skus.flatMap((sku) => locked.get(sku) ?? []), ...found]
  if (ids.length === 0) return []
  // A separate statement: a single one would read the snapshot from before it waited for the lock.
  const rows = await findProducts(
    database,
    ids.map((id) => ({ projectId, id })),
  )
  return [...rows.values()]
}

type SentLines = {
  products: readonly PushedProduct[]
  /** The loaded products. */
  rows: readonly ProductRow[]
  /** Products that a dry run remembers from earlier batches. They have no read-only fields. */
  known: ReadonlyMap<string, unknown>
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
  const remembered = [...sent.keys()].filter((sku) => known.has(sku))
  const loaded = [
    ...rows.filter(({ sku }) => sent.has(sku)),
    ...(await findPushedProducts(database, projectId, remembered, { forUpdate: false })),
  ]
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

async function findIds(
  database: Queryable,
  projectId: number,
  skus: string[],
  forUpdate: boolean,
): Promise<number[]> {
  // Planned for each query: a plan from when the table was small would scan a large one.
  const found = await database.query(
    planEachTime(sql<{ id: number }>`
      select product.id from unnest(${skus}::text[]) as wanted (sku)
      join products as product on product.project_id = ${projectId} and product.sku = wanted.sku
      order by product.id ${forUpdate ? sql`for no key update of product` : sql``}`),
  )
  return found.map(({ id }) => id)
}

/** A new SKU with an ID that is reserved for it, or the SKU of a large product with its approximate size. */
export type SkuPreflight = { sku: string; id: number | null; bytes: number | null }

const largeProductBytes = 4_000
/** Estimated, because decompressing values to measure them could take seconds. */
const compressionRatio = 10

function packedBytes(column: Sql): Sql {
  return sql`pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else ${compressionRatio}::int end`
}

/** Reserves IDs for new SKUs, unless nothing can be created, and measures products before they are locked and read. */
export function preflightSkus(
  database: Queryable,
  projectId: number,
  skus: string[],
  reservesIds: boolean,
): Promise<SkuPreflight[]> {
  // Lateral with a limit: one index lookup per SKU. Planned for each query: a plan from when the table was small would not
  // use the index.
  const statement = planEachTime(sql<SkuPreflight>`
      select wanted.sku, case when product.id is null then nextval('products_id_seq') end as id, product.bytes
      from unnest(${skus}::text[]) as wanted (sku) left join lateral (
        select id, ${largeBytes('stored', packedBytes)} + ${packedBytes(sql`stored.provenance`)} as bytes
        from products as stored where project_id = ${projectId} and sku = wanted.sku limit 1
      ) as product on true
      where (product.id is null and ${reservesIds}) or product.bytes > ${largeProductBytes}`)
  return database.query(write(statement, projectId))
}
