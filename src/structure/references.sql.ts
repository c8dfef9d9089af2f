import type { Queryable, Transaction } from '../database/database.ts'
import { linesOf } from '../database/json-lines.ts'
import { plannedAnew, type Sql, sql } from '../database/sql.ts'
import type { ProductType } from '../products/product-fields.ts'
import { axisValues, longestAxisValue } from './check-structure.ts'
import { linkKinds, type Reference, type Structured } from './structure.schema.ts'

export type FoundProduct = { id: number; sku: string; product_type: ProductType; variant_axes: string[] }

export function findReferenced(
  database: Queryable,
  projectId: number,
  ids: number[],
  skus: string[],
  hold: boolean,
): Promise<FoundProduct[]> {
  // Planned each time: a plan that was made while the table was small would walk through all of a large one.
  return database.query(
    plannedAnew(sql<FoundProduct>`
      select id, sku, product_type, variant_axes from products
      where project_id = ${projectId} and (id = any(${ids}::bigint[]) or sku = any(${skus}::text[]))
      order by id ${hold ? sql`for key share` : sql``}`),
  )
}

/** A row of product_references, but for the product that it is of. */
type ReferenceRow = {
  kind: string
  reference_id: number | null
  reference_sku: string
  axis_values?: unknown[]
}

/** What the table of references has to say of a product, with the values that tell a variant apart. */
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

/** Puts the rows in the place of those of these kinds. Two statements: variants that swap their values leave first. */
export async function replaceReferences(
  tx: Queryable,
  projectId: number,
  products: readonly (ProductReferences & { kinds: string[] })[],
): Promise<void> {
  const named = products.map(({ id, kinds }) => ({ id, kinds }))
  // Planned each time: a plan that was made while the table was small would walk through all of a large one.
  await tx.query(
    plannedAnew(sql`
      delete from product_references as reference using ${linesOf(named)}
      where project_id = ${projectId} and product_id = (line ->> 'id')::bigint and line -> 'kinds' ? kind`),
  )
  await insertReferences(tx, projectId, products)
}

/** A product that was erased after it was named has no id any more; the name of it stays as it was. */
export async function insertReferences(
  tx: Queryable,
  projectId: number,
  products: readonly ProductReferences[],
): Promise<void> {
  const rows = products.flatMap(({ id, references }) => references.map((row) => ({ id, ...row })))
  if (rows.length === 0) return
  await tx.query(
    plannedAnew(sql`
      insert into product_references (project_id, product_id, kind, reference_id, reference_sku, axis_hash)
      select ${projectId}, (line ->> 'id')::bigint, line ->> 'kind', (
               select id from products where project_id = ${projectId} and id = (line ->> 'reference_id')::bigint for key share
             ), line ->> 'reference_sku', variant_hash(line -> 'axis_values')
      from ${linesOf(rows)}`),
  )
}

export type Combination = { parent: number; values: unknown[] }

/** The variants that have these values of the axes, each with the place of the combination in the list. */
export function findVariants(
  database: Queryable,
  projectId: number,
  combinations: readonly Combination[],
): Promise<{ id: number; place: number }[]> {
  const places = combinations.map((combination, place) => ({ place, ...combination }))
  return database.query(
    plannedAnew(sql<{ id: number; place: number }>`
      select reference.product_id as id, (line ->> 'place')::int as place
      from ${linesOf(places)}
      join product_references as reference on reference.project_id = ${projectId}
        and reference.reference_id = (line ->> 'parent')::bigint and reference.axis_hash = variant_hash(line -> 'values')`),
  )
}

/** How many variants each of the parents has. */
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

/** A product that names this one so, by its id or by its SKU where nobody had it then; or undefined. */
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

/** Nobody comes to name the product as its parent or component until the transaction ends. */
export async function lockAlone(tx: Queryable, projectId: number, id: number): Promise<void> {
  await tx.query(sql`select from products where project_id = ${projectId} and id = ${id} for update`)
}

type Sibling = { sku: string; is_complete: boolean; hash: string | null }

const ownValues = (axes: Sql) => sql`
    cross join lateral (
      select bool_and(coalesce(jsonb_typeof(variant.attributes -> axis.name), 'null') in ('string', 'number', 'boolean')
               and length(variant.attributes ->> axis.name) <= ${longestAxisValue}::int) as is_complete,
             variant_hash(jsonb_agg(variant.attributes -> axis.name order by axis.place)) as hash
      from jsonb_array_elements_text(${axes}) with ordinality as axis (name, place)
    ) as own`

/** The variants of a parent as other axes would tell them apart. */
export function listSiblings(
  database: Queryable,
  projectId: number,
  parent: number,
  axes: readonly string[],
): Promise<Sibling[]> {
  return database.query(sql<Sibling>`
    select variant.sku, own.is_complete, own.hash
    from product_references as reference
    join products as variant on variant.project_id = reference.project_id and variant.id = reference.product_id
    ${ownValues(sql`${JSON.stringify(axes)}::jsonb`)}
    where reference.project_id = ${projectId} and reference.reference_id = ${parent} and reference.kind = 'parent'
    order by variant.id`)
}

/** After the axes of the parents have changed. */
export async function rehashVariants(tx: Queryable, projectId: number, parents: number[]): Promise<void> {
  await tx.query(sql`
    update product_references as reference set axis_hash = own.hash
    from products as parent, products as variant ${ownValues(sql`parent.variant_axes`)}
    where reference.project_id = ${projectId} and reference.reference_id = any(${parents}::bigint[]) and reference.kind = 'parent'
      and parent.project_id = reference.project_id and parent.id = reference.reference_id
      and variant.project_id = reference.project_id and variant.id = reference.product_id`)
}

/** Deferred, a new variant may have the values that another one leaves only later in the transaction. */
export async function compareVariants(tx: Transaction, when: 'deferred' | 'immediate'): Promise<void> {
  await tx.script(`set constraints one_variant_a_combination ${when}`)
}
