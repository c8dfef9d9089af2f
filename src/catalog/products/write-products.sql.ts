import {
  assignments,
  changedValues,
  columnList,
  insertedColumns,
  insertedValue,
} from '../../model/product/product-columns.ts'
import { defaultRulesVersion } from '../../model/quality/default-rules.ts'
import type { AssumedCurrencies } from '../../model/views/view-amounts.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, raw, type Sql, sql, write } from '../../platform/database/sql.ts'
import { columnRows, columnValue } from '../../platform/database/statements/column-rows.ts'
import { jsonRows, maxRowsOfCachedPlan } from '../../platform/database/statements/json-rows.ts'

/** The columns of `product` that a write returns for each written row, and how to read them. */
export type Returned<Row> = {
  names: readonly string[]
  /** Of an update: columns that are null unless the update sets them. */
  changedNames?: readonly string[]
  columns: Sql
  read: (row: Row) => Row
}

/*
 * The lock rule: the product row is locked before its links, attributes or stock change, by product.sql.ts or by the update itself,
 * which the rest of its statement reads from. Counts and derived data rely on this: writers of one product never overlap.
 */

/** Returns all rows as one JSON value, which is faster to read than columns. */
function returnedRows(columns: Sql, table: string): Sql {
  return sql`select coalesce(json_agg(own), '[]') as products from (select ${columns} from ${raw(table)} as product) as own`
}

const linkNames = ['project_id', 'id', 'version', 'category_ids', 'status', 'product_type']

function returnedColumns(names: readonly string[]): Sql {
  return columnList([...new Set(names)], 'product.')
}

/** A new product with the keys from product-columns.ts. */
type InsertedRow = {
  category_ids: string
  hasRare: boolean
  /** The assets that the product shows, if any. */
  assets?: string | undefined
  proposal?: number
  provenance?: object
}

const ownColumns = [
  { name: 'id', type: 'bigint' },
  { name: 'actor', type: 'text' },
  { name: 'source', type: 'text' },
]
const proposalColumn = { name: 'proposal', type: 'bigint' }
const provenanceColumn = { name: 'provenance', type: 'jsonb' }
const assetsColumn = { name: 'assets', type: 'text[]' }

/**
 * Inserts products, category links and history in one statement. The content of the first version is not recorded: it follows from the
 * product and its later changes (src/catalog/past-contents/content-before.sql.ts). A product whose SKU exists is skipped, or fails the
 * statement, which is 5% faster. Products without an ID are numbered in the given order; all are written in SKU order, so that writers
 * of the same SKUs do not deadlock.
 */
export async function insertProducts<Row>(
  queryable: Queryable,
  projectId: number,
  products: readonly InsertedRow[],
  { names: returnedNames, columns, read }: Returned<Row>,
  { skipsExisting, amounts }: { skipsExisting: boolean; amounts: AssumedCurrencies | undefined },
): Promise<Row[]> {
  const isLinked = products.some(({ category_ids }) => category_ids !== '{}')
  const { hasProposal, hasProvenance } = optionalColumns(products)
  const stamped = sql`stamp_provenance(input.provenance, 1, created_at)`
  const written = insertedColumns(products.some(({ hasRare }) => hasRare))
  const names = columnList(written.map(({ name }) => name))
  const hasAssets = products.some(({ assets }) => assets !== undefined)
  const optional = [
    hasProposal ? [proposalColumn] : [],
    hasProvenance ? [provenanceColumn] : [],
    hasAssets ? [assetsColumn] : [],
  ].flat()
  const statement = sql<{ products: Row[] }>`
    with input as materialized (
      select coalesce(line.id, nextval('products_id_seq')) as id, line.actor, line.source, ${join(written.map(insertedValue))}
             ${hasProposal ? sql`, line.proposal as proposal_id` : sql``} ${hasProvenance ? sql`, line.provenance` : sql``}
             ${hasAssets ? sql`, ${columnValue(assetsColumn)} as assets` : sql``}
      from ${columnRows(products, [...ownColumns, ...written, ...optional])} ${holdCurrencies(projectId, amounts)}
    ), inserted as (
      insert into products as product (project_id, id, ${names}, quality_rules_version ${hasProvenance ? sql`, provenance` : sql``})
      select ${projectId}, id, ${names}, ${defaultRulesVersion}
             ${hasProvenance ? sql`, coalesce(stamp_provenance(provenance, 1, now()::timestamptz(3)), '{}')` : sql``}
      from input order by sku collate "C"
      ${skipsExisting ? sql`on conflict (project_id, sku) do nothing` : sql``}
      returning ${returnedColumns([...linkNames, 'created_at', ...returnedNames])}
    ) ${isLinked ? newLinks : sql``} ${hasAssets ? usesOf('inserted') : sql``}, recorded as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, score_after
        ${historyColumns(hasProposal, hasProvenance)})
      select project_id, inserted.id, version, created_at, actor, source, input.quality_score
             ${hasProposal ? sql`, proposal_id` : sql``} ${hasProvenance ? sql`, ${stamped}` : sql``}
      from inserted join input using (id)
    )
    ${returnedRows(columns, 'inserted')}`
  // Always uses the cached plan: planned with its values, an insert of 50,000 rows once took minutes.
  const [row] = await queryable.query(write(statement, projectId))
  return row?.products.map(read) ?? []
}

/** Until the transaction ends, no view gets another currency. Evaluated once per statement. */
function holdCurrencies(projectId: number, amounts: AssumedCurrencies | undefined): Sql {
  return amounts === undefined ? sql`` : sql`where (select ${holdCall(projectId, amounts)})`
}

/** The same for amounts that a transaction stores outside of products. */
export async function holdViewCurrencies(
  tx: Transaction,
  projectId: number,
  amounts: AssumedCurrencies,
): Promise<void> {
  await tx.query(sql`select ${holdCall(projectId, amounts)}`)
}

function holdCall(projectId: number, { codes, currencies }: AssumedCurrencies): Sql {
  return sql`hold_view_currencies(${projectId}, ${codes}::text[], ${currencies}::text[])`
}

type Origin = { proposal?: number | undefined; provenance?: object | undefined }

/** Most writes have neither a proposal nor a prompt, and their statements omit these columns. */
function optionalColumns(rows: readonly Origin[]): { hasProposal: boolean; hasProvenance: boolean } {
  return {
    hasProposal: rows.some(({ proposal }) => proposal !== undefined),
    hasProvenance: rows.some(({ provenance }) => provenance !== undefined),
  }
}

function historyColumns(hasProposal: boolean, hasProvenance: boolean): Sql {
  return sql`${hasProposal ? sql`, proposal_id` : sql``} ${hasProvenance ? sql`, provenance` : sql``}`
}

const newLinks = sql`, linked as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, unnest(category_ids), status, product_type from inserted
    )`

/** Records which products show an asset or have shown it. The rows of a product stay, because its history still names the assets. */
function usesOf(written: 'inserted' | 'changed'): Sql {
  return sql`, used as (
      insert into asset_uses (project_id, hash, product_id)
      select written.project_id, hash, written.id
      from ${raw(written)} as written join input using (id) cross join unnest(input.assets) as hash
      order by hash, written.id
      on conflict do nothing
    )`
}

/** Rows with the keys from product-columns.ts. Each step and adjustment of a product has its number. */
type UpdatedRows = {
  products: {
    category_ids: string | undefined
    provenance: object | undefined
    assets: string | undefined
    quantity_read: number | undefined
  }[]
  history: Origin[]
  adjustments: object[]
  amounts: AssumedCurrencies | undefined
}

// The last step gets the current time, or a later one if the steps would otherwise overlap the previous change.
const lastStepTime = sql`greatest(clock_timestamp(), product.updated_at + input.steps * interval '1 millisecond')`

/**
 * Updates products with links, history and stock in one statement. Skips products whose version has changed since they were read, or whose
 * stock has, if `quantity_read` is set. The steps of one product are one millisecond apart. Waits for rows that another writer has locked, or skips them.
 */
export async function updateProducts<Row>(
  queryable: Queryable,
  projectId: number,
  { products, history, adjustments, amounts }: UpdatedRows,
  { names, changedNames = [], columns, read }: Returned<Row>,
  skipsLocked: boolean,
): Promise<Row[]> {
  const isRelinked = products.some(({ category_ids }) => category_ids !== undefined)
  const { hasProvenance } = optionalColumns(products)
  const hasAssets = products.some(({ assets }) => assets !== undefined)
  const isStockRead = products.some(({ quantity_read }) => quantity_read !== undefined)
  // The project is part of the input, because a plan could otherwise scan the entire project.
  const statement = sql<{ products: Row[] }>`
    with input as materialized (
      select ${projectId}::bigint as project_id, ${join(changedValues)}
             ${hasProvenance ? sql`, line -> 'provenance' as provenance` : sql``}
             ${hasAssets ? sql`, (line ->> 'assets')::text[] as assets` : sql``}
             ${isStockRead ? stockRead : sql``} from ${jsonRows(products)}
      ${holdCurrencies(projectId, amounts)}
    ) ${skipsLocked ? freeRows : sql``}, changed as (
      update products as product set
        ${join(assignments)}, ${hasProvenance ? timeAndProvenance : time}
        quality_rules_version = case when input.steps = 0 then product.quality_rules_version else ${defaultRulesVersion} end,
        inventory_updated_at = case when input.quantity is null then product.inventory_updated_at else clock_timestamp() end,
        quality_computed_at = case when input.steps = 0 then product.quality_computed_at else ${lastStepTime} end,
        version = product.version + input.steps
      from input ${skipsLocked ? sql`join free using (id)` : sql``}
      where product.project_id = input.project_id and product.id = input.id and product.version = input.version
        ${isStockRead ? isStockUnchanged : sql``}
      returning ${returnedColumns([...linkNames, 'updated_at', ...names])}, ${changedOnly(changedNames)}
                input.steps, input.category_ids as changed_ids
    ) ${isRelinked ? changedLinks : sql``} ${hasAssets ? usesOf('changed') : sql``}
      ${history.length > 0 ? recordSteps(history) : sql``}
      ${adjustments.length > 0 ? recordAdjustments(adjustments) : sql``}
    ${returnedRows(columns, 'changed')}`
  const isPlannedEachTime = products.length > maxRowsOfCachedPlan
  const [row] = await queryable.query(
    write(isPlannedEachTime ? planEachTime(statement) : statement, projectId),
  )
  return row?.products.map(read) ?? []
}

function changedOnly(names: readonly string[]): Sql {
  return raw(
    names.map((name) => `case when input.${name} is not null then product.${name} end as ${name},`).join(' '),
  )
}

const stockRead = raw(
  ['quantity', 'reserved'].map((name) => `, (line ->> '${name}_read')::bigint as ${name}_read`).join(''),
)
const isStockUnchanged = sql`and (input.quantity_read is null
          or product.quantity = input.quantity_read and product.reserved = input.reserved_read)`

const time = sql`updated_at = case when input.steps = 0 then product.updated_at else ${lastStepTime} end,`

/** Both from one reading of the clock. */
const timeAndProvenance = sql`(updated_at, provenance) = (
          select case when input.steps = 0 then product.updated_at else last_step.at end,
                 case when input.provenance is null then product.provenance else
                   coalesce(stamp_provenance(input.provenance, product.version + input.steps::int, last_step.at), '{}') end
          from (select (${lastStepTime})::timestamptz(3) as at offset 0) as last_step),`

const freeRows = sql`, free as (
      select product.id from input join products as product on product.project_id = input.project_id and product.id = input.id
      order by product.id for no key update of product skip locked
    )`

// The links of a product are found by its categories before the update, which this statement still sees. The limits force lookups:
// a join could read all links. A locked product keeps its links in place, so they are deleted by it.
const changedLinks = sql`, dropped as (
      delete from product_categories where ctid = any(array(
        select link.ctid
        from changed cross join lateral (
          select category_ids from products as stored
          where stored.project_id = changed.project_id and stored.id = changed.id limit 1
        ) as before
        cross join unnest(before.category_ids) as named (category)
        cross join lateral (
          select ctid from product_categories as own
          where own.project_id = changed.project_id and own.category_id = named.category and own.product_id = changed.id limit 1
        ) as link
        where named.category <> all(changed.changed_ids)))
    ), linked as (
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select project_id, id, unnest(changed_ids), status, product_type from changed
      on conflict (project_id, product_id, category_id) do nothing
    )`

function recordSteps(history: Origin[]): Sql {
  const { hasProposal, hasProvenance } = optionalColumns(history)
  return sql`, recorded as (
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after, score_before, score_after
        ${historyColumns(hasProposal, hasProvenance)})
      select project_id, id, step.version, step.changed_at,
             line ->> 'actor', line ->> 'source', line -> 'before', line -> 'after',
             (line ->> 'score_before')::smallint, (line ->> 'score_after')::smallint
             ${hasProposal ? sql`, (line ->> 'proposal')::bigint` : sql``}
             ${hasProvenance ? sql`, stamp_provenance(line -> 'provenance', step.version, step.changed_at)` : sql``}
      from ${jsonRows(history)} join changed on id = (line ->> 'id')::bigint
      cross join lateral (
        select (changed.version - steps + (line ->> 'number')::int)::int as version,
               updated_at - (steps - (line ->> 'number')::int) * interval '1 millisecond' as changed_at
      ) as step
    )`
}

function recordAdjustments(adjustments: object[]): Sql {
  return sql`, stocked as (
      insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
      select project_id, id, (line ->> 'delta')::bigint, (line ->> 'quantity')::bigint, 'set', line ->> 'actor', line ->> 'source'
      from ${jsonRows(adjustments)} join changed on id = (line ->> 'id')::bigint order by (line ->> 'number')::int
    )`
}
