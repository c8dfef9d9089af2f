import type { ProductType } from '../../model/fields/product-fields.ts'
import { structureLimits } from '../../model/limits/products.ts'
import { axisValues } from '../../model/structure/check-structure.ts'
import { linkKinds } from '../../model/structure/link-kinds.ts'
import type { Reference, Structured } from '../../model/structure/structure.schema.ts'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'

export type FoundProduct = { id: number; sku: string; product_type: ProductType; variant_axes: string[] }

export function findReferenced(
  database: Queryable,
  projectId: number,
  ids: number[],
  skus: string[],
  forUpdate: boolean,
): Promise<FoundProduct[]> {
  // Planned for each query: a plan from when the table was small would scan a large one.
  return database.query(
    planEachTime(sql<FoundProduct>`
      select id, sku, product_type, variant_axes from products
      where project_id = ${projectId} and (id = any(${ids}::bigint[]) or sku = any(${skus}::text[]))
      order by id ${forUpdate ? sql`for key share` : sql``}`),
  )
}

/** A row of product_references without its product. */
type ReferenceRow = {
  kind: string
  reference_id: number | null
  reference_sku: string
  axis_values?: unknown[]
}

/** The rows of a product in product_references, with the axis values of a variant. */
export function referenceRows(content: Structured, axes: readonly string[] | undefined): ReferenceRow[] {
  const { parent, components, links } = content
  const row = (kind: string, { id, sku }: Reference) => ({ kind, reference_id: id, reference_sku: sku })
  return [
    ...(parent === null ? [] : [{ ...row('parent', parent), axis_values: axisValues(content, axes ?? []) }]),
    ...components.map((component) => row('component', component)),
    ...linkKinds.flatMap((kind) => (links[kind] ?? []).map((reference) => row(kind, reference))),
  ]
}

export type ProductReferences = { id: number; references: ReferenceRow[] }

/** Replaces rows of some kinds. Uses two statements, so that variants can swap their values. */
export async function replaceReferences(
  tx: Queryable,
  projectId: number,
  products: readonly (ProductReferences & { kinds: string[] })[],
): Promise<void> {
  const named = products.map(({ id, kinds }) => ({ id, kinds }))
  // Planned for each query: a plan from when the table was small would scan a large one.
  await tx.query(
    planEachTime(sql`
      delete from product_references as reference using ${jsonRows(named)}
      where project_id = ${projectId} and product_id = (line ->> 'id')::bigint and line -> 'kinds' ? kind`),
  )
  await insertReferences(tx, projectId, products)
}

/** A referenced product that was erased since has no ID; its SKU is stored. */
export async function insertReferences(
  tx: Queryable,
  projectId: number,
  products: readonly ProductReferences[],
): Promise<void> {
  const rows = products.flatMap(({ id, references }) => references.map((row) => ({ id, ...row })))
  if (rows.length === 0) return
  await tx.query(
    planEachTime(sql`
      insert into product_references (project_id, product_id, kind, reference_id, reference_sku, axis_hash)
      select ${projectId}, (line ->> 'id')::bigint, line ->> 'kind', (
               select id from products where project_id = ${projectId} and id = (line ->> 'reference_id')::bigint for key share
             ), line ->> 'reference_sku', variant_hash(line -> 'axis_values')
      from ${jsonRows(rows)}`),
  )
}

export type Combination = { parent: number; values: unknown[] }

/** The variants with these axis values, each with the position of its combination in the list. */
export function findVariants(
  database: Queryable,
  projectId: number,
  combinations: readonly Combination[],
): Promise<{ id: number; place: number }[]> {
  const places = combinations.map((combination, place) => ({ place, ...combination }))
  return database.query(
    planEachTime(sql<{ id: number; place: number }>`
      select reference.product_id as id, (line ->> 'place')::int as place
      from ${jsonRows(places)}
      join product_references as reference on reference.project_id = ${projectId}
        and reference.reference_id = (line ->> 'parent')::bigint and reference.axis_hash = variant_hash(line -> 'values')`),
  )
}

/** The number of variants by parent. */
export async function countVariants(
  database: Queryable,
  projectId: number,
  parents: number[],
): Promise<Map<number, number>> {
  const rows = await database.query(sql<{ id: number; count: number }>`
    select reference_id as id, count(*)::int as count from product_references
    where project_id = ${projectId} and reference_id = any(${parents}::bigint[]) and kind = 'parent' group by reference_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The ID of a product that references this one, by ID, or by SKU if the reference is older than the product. */
export async function findReferrer(
  database: Queryable,
  projectId: number,
  id: number,
  kind: 'parent' | 'component',
): Promise<number | undefined> {
  const [row] = await database.query(sql<{ id: number }>`
    select product_id as id from product_references
    where project_id = ${projectId} and reference_id = ${id} and kind = ${kind}
    union all
    select product_id from product_references
    where project_id = ${projectId} and reference_id is null and kind = ${kind}
      and reference_sku = (select sku from products where project_id = ${projectId} and id = ${id})
    limit 1`)
  return row?.id
}

/** Prevents new references to the product until the transaction ends. */
export async function lockExclusively(tx: Queryable, projectId: number, id: number): Promise<void> {
  await tx.query(sql`select from products where project_id = ${projectId} and id = ${id} for update`)
}

/** SKUs share locks, because one lock per SKU could exceed the limit of the server. */
const parentNameLocks = 64

/**
 * Held until the transaction ends. A write that references a missing parent shares the lock of its SKU. The write that creates a
 * product with the SKU locks exclusively. So the product sees all variants that wait for it, and a variant sees the product.
 */
export async function lockParentNames(
  tx: Queryable,
  projectId: number,
  skus: readonly string[],
  mode: 'shared' | 'alone',
): Promise<void> {
  const lock = raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await tx.query(sql`
    select ${lock}(key) from (
      select distinct hashtextextended(${projectId}::text || '/' || (hashtext(sku) & ${parentNameLocks - 1}), ${advisoryLocks.parentName}) as key
      from unnest(${skus}::text[]) as sku order by key
    ) as keys`)
}

/** The SKUs that variants wait for. */
export async function findAwaited(
  database: Queryable,
  projectId: number,
  skus: readonly string[],
): Promise<string[]> {
  const rows = await database.query(sql<{ sku: string }>`
    select sku from unnest(${skus}::text[]) as sku where exists (
      select from product_references
      where project_id = ${projectId} and reference_sku = sku and kind = 'parent' and reference_id is null)`)
  return rows.map(({ sku }) => sku)
}

/** The variants that wait for a product with this SKU. With `forUpdate`, they are locked until the transaction ends. */
export async function listWaiting(
  database: Queryable,
  projectId: number,
  sku: string,
  limit: number,
  forUpdate: boolean,
): Promise<number[]> {
  const rows = await database.query(
    planEachTime(sql<{ id: number }>`
    select id from products where project_id = ${projectId} and id = any(array(
      select product_id from product_references
      where project_id = ${projectId} and reference_sku = ${sku} and kind = 'parent' and reference_id is null limit ${limit}))
    order by id ${forUpdate ? sql`for no key update` : sql``}`),
  )
  return rows.map(({ id }) => id)
}

/** Binds waiting variants to these products. Creates no version, because the variants already show the parent by its SKU. */
export async function bindVariants(tx: Queryable, projectId: number, parents: number[]): Promise<void> {
  const bound = await tx.query(
    planEachTime(sql<{ id: number; parent: number }>`
      update product_references as reference set reference_id = parent.id, axis_hash = null
      from products as parent
      where parent.project_id = ${projectId} and parent.id = any(${parents}::bigint[]) and parent.product_type = 'configurable'
        and reference.project_id = parent.project_id and reference.reference_sku = parent.sku
        and reference.kind = 'parent' and reference.reference_id is null
      returning reference.product_id as id, reference.reference_id as parent`),
  )
  // The trigger that counts products compares all rows of a statement with each other.
  for (let start = 0; start < bound.length; start += structureLimits.boundVariants)
    await tx.query(
      planEachTime(sql`
        update products as variant set parent = variant.parent || jsonb_build_object('id', (line ->> 'parent')::bigint)
        from ${jsonRows(bound.slice(start, start + structureLimits.boundVariants))}
        where variant.project_id = ${projectId} and variant.id = (line ->> 'id')::bigint`),
    )
  const own = new Set(bound.map(({ parent }) => parent))
  if (own.size > 0) await rehashVariants(tx, projectId, [...own])
}

type Sibling = { sku: string; is_complete: boolean; hash: string | null }

const ownValues = (axes: Sql) => sql`
    cross join lateral (
      select bool_and(coalesce(jsonb_typeof(variant.attributes -> axis.name), 'null') in ('string', 'number', 'boolean')
               and length(variant.attributes ->> axis.name) <= ${structureLimits.axisValueCharacters}::int) as is_complete,
             variant_hash(jsonb_agg(variant.attributes -> axis.name order by axis.place)) as hash
      from jsonb_array_elements_text(${axes}) with ordinality as axis (name, place)
    ) as own`

/** The variants of a parent, and variants that will be bound to it, with their values for these axes. */
export function listSiblings(
  database: Queryable,
  projectId: number,
  parent: number | undefined,
  added: readonly number[],
  axes: readonly string[],
): Promise<Sibling[]> {
  return database.query(
    planEachTime(sql<Sibling>`
    select variant.sku, own.is_complete, own.hash
    from products as variant ${ownValues(sql`${JSON.stringify(axes)}::jsonb`)}
    where variant.project_id = ${projectId} and variant.id = any(array(
      select product_id from product_references
      where project_id = ${projectId} and reference_id = ${parent ?? null}::bigint and kind = 'parent'
      union select unnest(${added}::bigint[])))
    order by variant.id`),
  )
}

/** Updates the hashes after the axes of the parents have changed. */
export async function rehashVariants(tx: Queryable, projectId: number, parents: number[]): Promise<void> {
  await tx.query(
    planEachTime(sql`
    update product_references as reference set axis_hash = own.hash
    from products as parent, products as variant ${ownValues(sql`parent.variant_axes`)}
    where reference.project_id = ${projectId} and reference.reference_id = any(${parents}::bigint[]) and reference.kind = 'parent'
      and parent.project_id = reference.project_id and parent.id = reference.reference_id
      and variant.project_id = reference.project_id and variant.id = reference.product_id`),
  )
}

/** With `deferred`, a variant can take values that another variant gives up later in the transaction. */
export async function compareVariants(tx: Transaction, when: 'deferred' | 'immediate'): Promise<void> {
  await tx.script(`set constraints one_variant_a_combination ${when}`)
}
