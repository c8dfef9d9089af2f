import { applicationName } from '../../platform/database/connections/open-pool.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

const hasViews = sql`(views is not null or view_offers is not null)`

/** A product with a value in the view; undefined if there is none. */
export async function findProductInView(
  database: Queryable,
  projectId: number,
  code: string,
): Promise<number | undefined> {
  const [row] = await database.query(sql<{ id: number }>`
    select id from products
    where project_id = ${projectId} and ${hasViews} and (views ? ${code} or view_offers ? ${code})
    order by id limit 1`)
  return row?.id
}

/** Products with a value in the view, locked in ID order, as pushes lock them. */
export async function lockProductsInView(
  tx: Transaction,
  projectId: number,
  code: string,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query(sql<{ id: number }>`
    with found as materialized (
      select id from products
      where project_id = ${projectId} and ${hasViews} and (views ? ${code} or view_offers ? ${code})
      order by id limit ${limit}
    )
    select product.id from products as product
    where product.project_id = ${projectId} and product.id in (select id from found)
    order by product.id for no key update`)
  return rows.map(({ id }) => id)
}

/** Whether a product has a price, or a sale price, in the view. */
export async function hasAmounts(
  database: Queryable,
  projectId: number,
  code: string,
  saleAttribute: string,
): Promise<boolean> {
  const rows = await database.query(sql`
    select from products
    where project_id = ${projectId} and ${hasViews}
      and (view_offers -> ${code} ? 'price' or views -> ${code} -> 'attributes' ? ${saleAttribute}) limit 1`)
  return rows.length > 0
}

/** The time now, or that of the last change of a product: a change of several lines can have a time ahead of the clock. */
export async function timeAfterWrites(tx: Transaction, projectId: number): Promise<string> {
  const [row] = await tx.query(sql<{ now: string }>`
    select greatest(clock_timestamp(), (select max(updated_at) from products where project_id = ${projectId}))::timestamptz(3) as now`)
  return row?.now as string
}

/** Whether any project has had a view. */
export async function isFirstView(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`select from rulesets where views is not null limit 1`)
  return rows.length === 0
}

/** The names of the connections of services and commands. */
export async function listConnectionNames(database: Queryable): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${applicationName})`)
  return rows.map(({ name }) => name)
}
