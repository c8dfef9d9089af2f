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
 * Pushes never deadlock with each other: one that is all or nothing has the project to itself, the others take their locks
 * in one order, products that exist by id, then categories by name, then new products by SKU.
 */

/** Held until the transaction ends. Alone: no other push writes to the project meanwhile. */
export function lockPushes(tx: Transaction, projectId: number, alone: boolean): Promise<void> {
  return lockInProject(tx, advisoryLocks.push, projectId, alone ? 'alone' : 'shared')
}

/** Products of some SKUs that the transaction holds already: their ids. */
type Finding = { hold: boolean; locked?: ReadonlyMap<string, number> | undefined }

/** Those of the SKUs that exist; held, nobody else changes them until our transaction ends. */
export async function findPushedProducts(
  database: Queryable,
  projectId: number,
  skus: string[],
  { hold, locked = new Map() }: Finding,
): Promise<ProductRow[]> {
  const others = skus.filter((sku) => !locked.has(sku))
  const found = others.length === 0 ? [] : await findIds(database, projectId, others, hold)
  const ids = [...skus.flatMap((sku) => locked.get(sku) ?? []), ...found]
  if (ids.length === 0) return []
  // Another statement: in one, what is read would be from the snapshot before the wait for the lock.
  const rows = await findProducts(
    database,
    ids.map((id) => ({ projectId, id })),
  )
  return [...rows.values()]
}

type Sending = {
  products: readonly PushedProduct[]
  /** The products that are already loaded. */
  rows: readonly ProductRow[]
  /** Products that a dry run remembers from earlier batches. They are not as responses show them. */
  known: ReadonlyMap<string, unknown>
}

/** The products whose read-only fields the lines send back, as they are before the batch. Without such lines there is no query. */
export async function findShown(
  database: Queryable,
  projectId: number,
  show: ShowProducts,
  { products, rows, known }: Sending,
): Promise<ShownProducts> {
  const sent = sentFields(products)
  if (sent.size === 0) return { bySku: new Map(), ownIds: new Set() }
  const remembered = [...sent.keys()].filter((sku) => known.has(sku))
  const loaded = [
    ...rows.filter(({ sku }) => sent.has(sku)),
    ...(await findPushedProducts(database, projectId, remembered, { hold: false })),
  ]
  const isPlain = ({ sku }: ProductRow) => isInRow(sent.get(sku) ?? new Set())
  const others = loaded.filter((row) => !isPlain(row))
  const shown = [...loaded.filter(isPlain).map(shownRow), ...(await show(database, others))]
  const bySku = new Map(shown.map((one) => [one.sku, one]))
  const ids = sentIds(products)
  return { bySku, ownIds: ids.length === 0 ? new Set() : await findOwned(database, projectId, ids) }
}

/** Those of the ids that products of the project have. */
async function findOwned(
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
  hold: boolean,
): Promise<number[]> {
  // Planned each time: a plan that was made while the table was small would walk through all of a large one.
  const found = await database.query(
    planEachTime(sql<{ id: number }>`
      select product.id from unnest(${skus}::text[]) as wanted (sku)
      join products as product on product.project_id = ${projectId} and product.sku = wanted.sku
      order by product.id ${hold ? sql`for no key update of product` : sql``}`),
  )
  return found.map(({ id }) => id)
}

/** A SKU that nobody has yet, with an id set aside for it, or one whose product is large, with about the bytes to read. */
export type Ahead = { sku: string; id: number | null; bytes: number | null }

const worthTelling = 4_000
/** Nothing is unpacked to be measured: much of it would take seconds. */
const unpacked = 10

function packedBytes(column: Sql): Sql {
  return sql`pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else ${unpacked}::int end`
}

/** What is to be known of SKUs before their products are locked and read. Without ids where nothing will be made. */
export function lookAhead(
  database: Queryable,
  projectId: number,
  skus: string[],
  takesIds: boolean,
): Promise<Ahead[]> {
  // Lateral with a limit: one look for each SKU. Planned each time: a plan from when the table was small would not use
  // the index.
  const statement = planEachTime(sql<Ahead>`
      select wanted.sku, case when product.id is null then nextval('products_id_seq') end as id, product.bytes
      from unnest(${skus}::text[]) as wanted (sku) left join lateral (
        select id, ${largeBytes('stored', packedBytes)} + ${packedBytes(sql`stored.provenance`)} as bytes
        from products as stored where project_id = ${projectId} and sku = wanted.sku limit 1
      ) as product on true
      where (product.id is null and ${takesIds}) or product.bytes > ${worthTelling}`)
  return database.query(write(statement, projectId))
}
