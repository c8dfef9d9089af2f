import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { broad, sql } from '../../platform/database/sql.ts'
import { isBelow, lockCategory, ownProducts } from './category.sql.ts'

/** Until the transaction ends, no other request moves a category of the project or creates one below another. */
export function lockTree(tx: Transaction, projectId: number): Promise<void> {
  return lockInProject(tx, advisoryLocks.categoryTree, projectId, 'alone')
}

export type Lineage = {
  /** From the category up to the root. */
  ancestors: number[]
  /** The number of levels of the category and everything below it. */
  height: number
}

/** The position of a category; undefined if it does not exist. Locks it first, so that no category is created below it. */
export async function lockLineage(
  tx: Transaction,
  projectId: number,
  id: number,
): Promise<Lineage | undefined> {
  if (!(await lockCategory(tx, projectId, id))) return undefined
  return findLineage(tx, projectId, id)
}

export async function findLineage(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<Lineage | undefined> {
  const [row] = await database.query(sql<{ ancestors: number[] | null; height: number }>`
    with recursive upwards as (
      select id, parent_id, 1 as step from categories where project_id = ${projectId} and id = ${id}
      union all
      select parent.id, parent.parent_id, step + 1
      from upwards join categories as parent on parent.project_id = ${projectId} and parent.id = upwards.parent_id
      where step < 100
    ), downwards as (
      select id, 1 as step from categories where project_id = ${projectId} and id = ${id}
      union all
      select child.id, step + 1
      from downwards join categories as child on child.project_id = ${projectId} and child.parent_id = downwards.id
      where step < 100
    )
    select (select json_agg(id order by step) from upwards) as ancestors, (select max(step) from downwards) as height`)
  const { ancestors = null, height = 0 } = row ?? {}
  return ancestors === null ? undefined : { ancestors, height }
}

export type TreeRow = {
  id: number
  parent: number | null
  name: string
  position: number
  products: number
}

/** The categories below one category, or the entire tree, up to `limit` rows. Parents come before their subcategories. */
export function listTree(
  database: Queryable,
  projectId: number,
  { parent, depth }: { parent: number | null; depth: number },
  limit: number,
): Promise<TreeRow[]> {
  return database.query(
    broad(sql<TreeRow>`
      with recursive tree as (
        select project_id, id, parent_id, name, position, 1 as step from categories
        where project_id = ${projectId} and ${isBelow(parent)}
        union all
        select child.project_id, child.id, child.parent_id, child.name, child.position, step + 1
        from tree join categories as child on child.project_id = tree.project_id and child.parent_id = tree.id
        where step < ${depth}
      ), part as materialized (select * from tree limit ${limit})
      select id, parent_id as parent, name, position, ${ownProducts} as products
      from part as category order by step, position, name`),
  )
}
