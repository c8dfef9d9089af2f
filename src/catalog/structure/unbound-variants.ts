import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Problem } from '../../platform/http/problems.ts'
import { bindVariants, lockExclusively, lockParentNames } from './references.sql.ts'
import { variantsConflict } from './reject-conflicts.ts'

type Parent = { project_id: number; id: number; sku: string; variant_axes: string[] }

const maxParents = 1_000

/** Parents with older variants that were never bound, from releases before 0.4.0. */
export function findUnboundParents(database: Queryable): Promise<Parent[]> {
  return database.query(sql<Parent>`
    select parent.project_id, parent.id, parent.sku, parent.variant_axes
    from (
      select distinct project_id, reference_sku from product_references where kind = 'parent' and reference_id is null
    ) as reference
    join products as parent on parent.project_id = reference.project_id and parent.sku = reference.reference_sku
    where parent.product_type = 'configurable' order by parent.project_id, parent.id limit ${maxParents}`)
}

/** Binds the variants that wait for a parent, or returns why they do not fit. */
export function bindUnbound(
  database: Database,
  { project_id, id, sku }: Parent,
): Promise<Problem | undefined> {
  return database.transaction(async (tx) => {
    await markUnrecordedChange(tx, [project_id])
    await lockExclusively(tx, project_id, id)
    await lockParentNames(tx, project_id, [sku], 'alone')
    const [content] = await tx.query(sql<Pick<Parent, 'sku' | 'variant_axes'>>`
      select sku, variant_axes from products where project_id = ${project_id} and id = ${id} and sku = ${sku}`)
    if (content === undefined) return undefined
    const conflict = await variantsConflict(tx, project_id, { id, content, changesAxes: false }, true)
    if (conflict === undefined) await bindVariants(tx, project_id, [id])
    return conflict
  })
}
