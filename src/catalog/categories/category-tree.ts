import { categoryLimits } from '../../model/limits/categories.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import type { CategoryNode, CategoryTree, CategoryTreeQuery } from './category.schema.ts'
import { findCategory } from './category.sql.ts'
import { listTree } from './category-tree.sql.ts'

/** The tree, or the categories below one. Rejects a tree that is too large for one response. */
export async function readTree(
  database: Queryable,
  projectId: number,
  { parent, depth = categoryLimits.levels }: CategoryTreeQuery,
): Promise<CategoryTree> {
  if (parent !== undefined && (await findCategory(database, projectId, parent)) === undefined)
    throw notFound('category', parent)
  const rows = await listTree(database, projectId, { parent: parent ?? null, depth }, categoryLimits.tree + 1)
  if (rows.length > categoryLimits.tree)
    throw new Problem('page_too_large', {
      detail: `The tree has more than ${categoryLimits.tree} categories. Limit the levels with depth, or request one branch with parent.`,
    })
  const nodes = new Map(
    rows.map(({ parent: _parent, ...row }): [number, CategoryNode] => [row.id, { ...row, children: [] }]),
  )
  const results: CategoryNode[] = []
  for (const { id, parent: above } of rows) {
    const siblings = above === null ? results : (nodes.get(above)?.children ?? results)
    siblings.push(nodes.get(id) as CategoryNode)
  }
  return { count: rows.length, results }
}
