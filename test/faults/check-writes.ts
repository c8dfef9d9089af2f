import { openDatabase, type Queryable } from '../../src/platform/database/database.ts'
import { leaseEmbeddedServer } from '../../src/platform/database/embedded/lease.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Content, Known, Ledger } from './writers.ts'

type Row = Content & { sku: string; isComplete: boolean }
type Result = { lost: string[]; torn: string[] }

/** Compares what clients know with the database of the folder: lost and partial writes. */
export function checkWrites(folder: string, ledger: Ledger): Promise<Result> {
  return inFolder(folder, (database) => compareWrites(database, ledger))
}

export async function compareWrites(database: Queryable, ledger: Ledger): Promise<Result> {
  const rows = await readProducts(database, [...ledger.keys()])
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  const entries = [...ledger]
  return {
    lost: entries.filter(([sku, known]) => isLost(known, bySku.get(sku)?.[0])).map(([sku]) => sku),
    torn: entries.filter(([sku, known]) => isTorn(known, bySku.get(sku))).map(([sku]) => sku),
  }
}

/** Runs the work on the running server of a data folder. */
export async function inFolder<Value>(
  folder: string,
  work: (database: Queryable) => Promise<Value>,
): Promise<Value> {
  const { connection, release } = await leaseEmbeddedServer(folder)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 60 })
  try {
    return await work(database)
  } finally {
    await database.close()
    await release()
  }
}

function same(content: Content | undefined, row: Content): boolean {
  return content?.turn === row.turn && content.quantity === row.quantity
}

function isLost({ acknowledged, sent }: Known, row: Row | undefined): boolean {
  if (acknowledged === undefined) return false
  return row === undefined || !(same(acknowledged, row) || same(sent, row))
}

/** A write that was not acknowledged is atomic and exists at most once. */
function isTorn({ acknowledged, sent }: Known, rows: Row[] = []): boolean {
  const [row] = rows
  if (row === undefined) return false
  return rows.length > 1 || !row.isComplete || !(same(acknowledged, row) || same(sent, row))
}

/** A product is complete if its history has every version and ends with its current content, and its links and stock match. */
function readProducts(database: Queryable, skus: string[]): Promise<Row[]> {
  return database.query(sql<Row>`
    select sku, (attributes ->> 'turn')::int as turn, quantity,
      version = (select count(*) from product_history as entry
                 where entry.project_id = product.project_id and entry.product_id = product.id)
      and (version = 1 or attributes = (
        select after -> 'attributes' from product_history as entry
        where entry.project_id = product.project_id and entry.product_id = product.id and entry.version = product.version))
      and 'C ' || ((attributes ->> 'turn')::int % 5) = (
        select string_agg(category.name, ',') from product_categories as link
        join categories as category on category.project_id = link.project_id and category.id = link.category_id
        where link.project_id = product.project_id and link.product_id = product.id)
      and quantity = (select coalesce(sum(delta), 0) from inventory_adjustments as adjustment
                      where adjustment.project_id = product.project_id and adjustment.product_id = product.id)
      as "isComplete"
    from products as product where sku = any(${skus}::text[])`)
}
