import type { Queryable, Transaction } from '../../database/database.ts'
import { plannedAnew, type Sql, sql, write } from '../../database/sql.ts'
import type { ProductRow } from '../describe-product.ts'
import { findProducts } from '../product.sql.ts'
import type { Author } from '../product-write.sql.ts'

/*
 * Pushes never deadlock with each other: one that is all or nothing has the project to itself, the others take their locks
 * in one order, products that exist by id, then categories by name, then new products by SKU.
 */

const pushLock = 4_270_016

/** Held until the transaction ends. Alone: no other push writes to the project meanwhile. */
export async function lockPushes(tx: Transaction, projectId: number, alone: boolean): Promise<void> {
  const key = sql`hashtextextended(${String(projectId)}, ${pushLock})`
  await tx.query(
    alone ? sql`select pg_advisory_xact_lock(${key})` : sql`select pg_advisory_xact_lock_shared(${key})`,
  )
}

/** Those of the SKUs that exist; held, nobody else changes them until our transaction ends. */
export async function findPushedProducts(
  database: Queryable,
  projectId: number,
  skus: string[],
  hold: boolean,
): Promise<ProductRow[]> {
  // Two statements: in one, what is read would be from the snapshot before the wait for the lock.
  // Planned each time: a plan that was made while the table was small would walk through all of a large one.
  const found = await database.query(
    plannedAnew(sql<{ id: number }>`
      select product.id from unnest(${skus}::text[]) as wanted (sku)
      join products as product on product.project_id = ${projectId} and product.sku = wanted.sku
      order by product.id ${hold ? sql`for no key update of product` : sql``}`),
  )
  if (found.length === 0) return []
  const rows = await findProducts(
    database,
    found.map(({ id }) => ({ projectId, id })),
  )
  return [...rows.values()]
}

export async function takeProductIds(tx: Transaction, count: number): Promise<number[]> {
  const rows = await tx.query(sql<{ id: number }>`
    select nextval('products_id_seq') as id from generate_series(1, ${count}::int)`)
  return rows.map(({ id }) => id)
}

/** A SKU that nobody has yet, with an id set aside for it, or one whose product is large, with about the bytes to read. */
export type Ahead = { sku: string; id: number | null; bytes: number | null }

const worthTelling = 4_000
/** Nothing is unpacked to be measured: much of it would take seconds. */
const unpacked = 10

/** What is to be known of SKUs before their products are locked and read. Without ids where nothing will be made. */
export function lookAhead(
  database: Queryable,
  projectId: number,
  skus: string[],
  takesIds: boolean,
): Promise<Ahead[]> {
  // Lateral with a limit: one look for each SKU. Planned each time: a plan from when the table was small would not use
  // the index.
  const statement = plannedAnew(sql<Ahead>`
      select wanted.sku, case when product.id is null then nextval('products_id_seq') end as id, product.bytes
      from unnest(${skus}::text[]) as wanted (sku) left join lateral (
        select id, octet_length(description) + octet_length(short_description) + pg_column_size(attributes)
          * case when pg_column_compression(attributes) is null then 1 else ${unpacked}::int end as bytes
        from products where project_id = ${projectId} and sku = wanted.sku limit 1
      ) as product on true
      where (product.id is null and ${takesIds}) or product.bytes > ${worthTelling}`)
  return database.query(write(statement, projectId))
}

/** Objects as JSON, one a line: half of what a recordset takes to read. */
function linesOf(text: string): Sql {
  // Offset 0, so that a line is parsed once and not for each of its fields.
  return sql`(select line::jsonb as line from string_to_table(${text}, chr(10)) as line offset 0) as lines`
}

/** New products (a line each), their links and their content as first history rows. A SKU that exists fails the statement. */
export async function insertPushed(
  tx: Transaction,
  projectId: number,
  rulesVersion: number,
  author: Author,
  products: string,
): Promise<void> {
  await tx.query(sql`
    with input as materialized (
      select (line -> 'id')::bigint as id, line -> 'content' as content, line ->> 'search_text' as search_text,
             (line ->> 'category_ids')::bigint[] as category_ids, (line -> 'quantity')::bigint as quantity,
             (line -> 'reserved')::bigint as reserved, (line -> 'quality_score')::smallint as quality_score,
             (line ->> 'quality_failed')::text[] as quality_failed
      from ${linesOf(products)}
    ), inserted as (
      insert into products (project_id, id, sku, name, search_text, description, short_description, price, status,
                            product_type, attributes, tracked, low_stock_threshold, backorders, quantity, reserved,
                            category_ids, quality_score, quality_failed, quality_rules_version)
      select ${projectId}, id, content ->> 'sku', content ->> 'name', search_text, content ->> 'description',
             content ->> 'short_description', (content ->> 'price')::numeric, content ->> 'status',
             content ->> 'product_type', content -> 'attributes', (content #>> '{inventory,tracked}')::boolean,
             (content #>> '{inventory,low_stock_threshold}')::bigint, (content #>> '{inventory,backorders}')::boolean,
             quantity, reserved, category_ids, quality_score, quality_failed, ${rulesVersion}
      from input
    ), linked as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select ${projectId}, id, unnest(category_ids), content ->> 'status', content ->> 'product_type' from input
    )
    insert into product_history (project_id, product_id, version, changed_at, actor, source, after)
    select ${projectId}, id, 1, now(), ${author.actor}, ${author.source}, content from input`)
}

/** A line of JSON each, which the caller makes; the columns below tell its shape. */
export type ChangedRows = { products: string; history: string; adjustments: string }

/**
 * Changed products, which are locked already, with links, history and stock. Text, attributes and
 * categories that stay are null in the input. Several steps of one product are told apart by a millisecond each; returned is how
 * many milliseconds the last is ahead of the clock, where one has more steps than there was time for.
 */
export async function updatePushed(
  tx: Transaction,
  projectId: number,
  rulesVersion: number,
  author: Author,
  { products, history, adjustments }: ChangedRows,
): Promise<number> {
  // The project stands in the input, and the plan is made each time: else a plan could walk through the whole project.
  const statement = plannedAnew(sql<{ ahead: number }>`
    with input as materialized (
      select ${projectId}::bigint as project_id, (line -> 'id')::bigint as id, line ->> 'name' as name,
             line ->> 'search_text' as search_text, line ->> 'description' as description,
             line ->> 'short_description' as short_description, (line ->> 'price')::numeric as price,
             line ->> 'status' as status, line ->> 'product_type' as product_type, line -> 'attributes' as attributes,
             (line -> 'tracked')::boolean as tracked, (line ->> 'low_stock_threshold')::bigint as low_stock_threshold,
             (line -> 'backorders')::boolean as backorders, (line -> 'quality_score')::smallint as quality_score,
             (line ->> 'quality_failed')::text[] as quality_failed, (line -> 'steps')::integer as steps,
             (line -> 'is_stocked')::boolean as is_stocked, (line -> 'quantity')::bigint as quantity,
             (line -> 'reserved')::bigint as reserved, (line ->> 'category_ids')::bigint[] as category_ids
      from ${linesOf(products)}
    ), changed as (
      update products as product set
        name = coalesce(input.name, product.name), search_text = coalesce(input.search_text, product.search_text),
        description = coalesce(input.description, product.description),
        short_description = coalesce(input.short_description, product.short_description),
        price = input.price, status = input.status, product_type = input.product_type,
        attributes = coalesce(input.attributes, product.attributes),
        tracked = input.tracked, low_stock_threshold = input.low_stock_threshold, backorders = input.backorders,
        quantity = input.quantity, reserved = input.reserved,
        category_ids = coalesce(input.category_ids, product.category_ids),
        inventory_updated_at = case when input.is_stocked then clock_timestamp() else product.inventory_updated_at end,
        quality_score = input.quality_score, quality_failed = input.quality_failed, quality_rules_version = ${rulesVersion},
        quality_computed_at = case when input.steps = 0 then product.quality_computed_at else ${lastStepTime} end,
        updated_at = case when input.steps = 0 then product.updated_at else ${lastStepTime} end,
        version = product.version + input.steps
      from input
      where product.project_id = input.project_id and product.id = input.id
      returning product.id, product.version, product.updated_at, input.steps
    ), dropped as (
      delete from product_categories as link using input
      where link.project_id = input.project_id and link.product_id = input.id and link.category_id <> all(input.category_ids)
    ), linked as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, unnest(category_ids), status, product_type from input
      on conflict (project_id, product_id, category_id) do nothing
    ), told as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select ${projectId}, changed.id, changed.version - changed.steps + (line -> 'number')::integer,
             changed.updated_at - (changed.steps - (line -> 'number')::integer) * interval '1 millisecond',
             ${author.actor}, ${author.source}, line -> 'before', line -> 'after'
      from ${linesOf(history)} join changed on changed.id = (line -> 'id')::bigint
    ), stocked as (
      insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
      select ${projectId}, (line -> 'id')::bigint, (line -> 'delta')::bigint, (line -> 'quantity')::bigint,
             'set', ${author.actor}, ${author.source}
      from ${linesOf(adjustments)}
    )
    select ceil(extract(epoch from max(updated_at) - clock_timestamp()) * 1000)::int as ahead from changed`)
  const [row] = await tx.query(statement)
  return Math.max(0, row?.ahead ?? 0)
}

// The steps end now and go back from there, as far as the time of the product's last change leaves room for them.
const lastStepTime = sql`greatest(clock_timestamp(), product.updated_at + input.steps * interval '1 millisecond')`
