import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** A product whose rows in product_references differ from its content, or whose parent cannot have variants. */
export type WrongProduct = { project_id: number; id: number; is_misplaced: boolean }
type Place = { project_id: number; id: number }

/** The expected rows for the products of `batch`. A deleted product has no ID; then no values are compared. */
const expected: Sql = sql`
  named as (
    select project_id, id, 'parent' as kind, parent as value from batch where parent is not null
    union all
    select project_id, id, 'component', component.value from batch, jsonb_array_elements(components) as component
    union all
    select project_id, id, link.key, item.value from batch, jsonb_each(links) as link, jsonb_array_elements(link.value) as item
  ), expected as (
    select named.project_id, named.id as product_id, named.kind, other.id as reference_id, named.value ->> 'sku' as reference_sku,
           own.hash as axis_hash, named.kind = 'parent' and other.product_type <> 'configurable' as is_misplaced
    from named
    left join products as other on other.project_id = named.project_id and other.id = (named.value ->> 'id')::bigint
    left join lateral (
      select variant_hash(jsonb_agg(variant.attributes -> axis.name order by axis.place)) as hash
      from products as variant, jsonb_array_elements_text(other.variant_axes) with ordinality as axis (name, place)
      where variant.project_id = named.project_id and variant.id = named.id
    ) as own on named.kind = 'parent'
  )`

/** The wrong products in the next batch, and the last product of the batch. Undefined after the last batch. */
export async function findWrongReferences(
  database: Queryable,
  after: Place,
  limit: number,
): Promise<{ wrong: WrongProduct[]; last: Place } | undefined> {
  const [found] = await database.query(sql<{ wrong: WrongProduct[]; last: Place | null }>`
    with batch as materialized (
      select project_id, id, parent, components, links from products
      where (project_id, id) > (${after.project_id}, ${after.id}) order by project_id, id limit ${limit}
    ), ${expected}, stored as (
      select reference.project_id, reference.product_id, reference.kind, reference.reference_id, reference.reference_sku,
             case when reference.reference_id is not null then reference.axis_hash end as axis_hash
      from product_references as reference join batch on batch.project_id = reference.project_id and batch.id = reference.product_id
    ), differing as (
      (select project_id, product_id, kind, reference_id, reference_sku, axis_hash from expected except all select * from stored)
      union all
      (select * from stored except all select project_id, product_id, kind, reference_id, reference_sku, axis_hash from expected)
    ), wrong as (
      select project_id, product_id as id, false as is_misplaced from differing
      union select project_id, product_id, true from expected where is_misplaced
    )
    select coalesce((select json_agg(wrong order by project_id, id) from wrong), '[]') as wrong,
           (select json_build_object('project_id', project_id, 'id', id) from batch order by project_id desc, id desc limit 1) as last`)
  return found?.last ? { wrong: found.wrong, last: found.last } : undefined
}

/** Rebuilds the rows of products. Locks the products and their parents first, like any other write. */
export async function rebuildReferences(tx: Transaction, projectId: number, ids: number[]): Promise<void> {
  await markUnrecordedChange(tx, [projectId])
  await tx.query(sql`
    select from products where project_id = ${projectId} and id = any(${ids}::bigint[]) order by id for no key update`)
  await tx.query(sql`
    select from products where project_id = ${projectId} and id in (
      select (parent ->> 'id')::bigint from products where project_id = ${projectId} and id = any(${ids}::bigint[])
    ) order by id for key share`)
  await tx.query(sql`
    delete from product_references where project_id = ${projectId} and product_id = any(${ids}::bigint[])`)
  await tx.query(sql`
    with batch as materialized (
      select project_id, id, parent, components, links from products
      where project_id = ${projectId} and id = any(${ids}::bigint[])
    ), ${expected}
    insert into product_references (project_id, product_id, kind, reference_id, reference_sku, axis_hash)
    select project_id, product_id, kind, reference_id, reference_sku, axis_hash from expected`)
}
