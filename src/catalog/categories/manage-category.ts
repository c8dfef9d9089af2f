import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import { categoryLimits } from '../../model/limits/categories.ts'
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import { readOnlyOf, rejectChangedReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { rejectDirectionControls } from '../../platform/http/request/name.schema.ts'
import type { Category, CategoryInput, CategoryPatch } from './category.schema.ts'
import {
  deleteCategoryRow,
  findCategory,
  findCategoryDetail,
  findRuleOf,
  findSibling,
  insertCategory,
  lockCategory,
  updateCategory,
} from './category.sql.ts'
import { findLineage, type Lineage, lockLineage, lockTree } from './category-tree.sql.ts'

export async function createCategory(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  input: CategoryInput,
): Promise<Category> {
  const { name, parent = null } = input
  if (parent !== null) {
    await lockTree(tx, projectId)
    requireRoom(await requireParent(tx, projectId, parent), 1)
  }
  const row = await insertCategory(tx, projectId, input).catch((error) => {
    // For a root category, the project no longer exists.
    throw parent !== null && sqlState(error) === sqlStates.foreignKeyViolation ? unknownParent(parent) : error
  })
  if (row === undefined) throw await duplicateCategoryName(tx, projectId, parent, name)
  await recordEvents(tx, projectId, {
    type: 'category.created',
    ...author,
    objects: [{ id: row.id, after: row }],
  })
  return row
}

/** A new name or position applies to all products immediately: products store the category ID, and paths are computed. */
export async function changeCategory(
  database: Database,
  projectId: number,
  author: ChangeAuthor,
  id: number,
  patch: CategoryPatch,
): Promise<Category> {
  let wanted: Required<CategoryInput> | undefined
  const change = async (tx: Transaction) => {
    if (patch.parent !== undefined) await lockTree(tx, projectId)
    const own = await lockLineage(tx, projectId, id)
    const category = own && (await findCategory(tx, projectId, id))
    if (own === undefined || category === undefined) throw notFound('category', id)
    const sent = readOnlyOf(patch)
    if (sent !== undefined)
      rejectChangedReadOnly(sent, (await findCategoryDetail(tx, projectId, id)) ?? category)
    const { name, parent, position } = category
    wanted = { name, parent, position, ...patch }
    if (wanted.name !== name) rejectDirectionControls(wanted.name)
    if (wanted.parent !== null && wanted.parent !== parent)
      await requirePlace(tx, projectId, own, wanted.parent)
    if (!(await updateCategory(tx, projectId, id, wanted))) return category
    const after = (await findCategory(tx, projectId, id)) as Category
    const objects = [{ id, before: category, after }]
    await recordEvents(tx, projectId, { type: 'category.updated', ...author, objects })
    return after
  }
  try {
    return await database.transaction(change, { project: projectId })
  } catch (error) {
    if (wanted === undefined) throw error
    if (sqlState(error) === sqlStates.foreignKeyViolation) throw unknownParent(wanted.parent)
    if (sqlState(error) !== sqlStates.uniqueViolation) throw error
    throw await duplicateCategoryName(database, projectId, wanted.parent, wanted.name)
  }
}

/** A category below itself would be disconnected from the tree. */
async function requirePlace(tx: Transaction, projectId: number, own: Lineage, parent: number): Promise<void> {
  const above = await requireParent(tx, projectId, parent)
  if (above.ancestors.includes(own.ancestors[0] as number))
    throw invalidParent(
      'category_cycle',
      'is the category itself or a category below it; choose another category',
    )
  requireRoom(above, own.height)
}

async function requireParent(tx: Transaction, projectId: number, parent: number): Promise<Lineage> {
  const lineage = await findLineage(tx, projectId, parent)
  if (lineage === undefined) throw unknownParent(parent)
  return lineage
}

/** Also used if the parent is deleted after the check. */
function unknownParent(parent: number | null): Problem {
  return invalidParent('unknown_category', `there is no category ${parent} in this project`)
}

function requireRoom({ ancestors }: Lineage, height: number): void {
  const depth = ancestors.length + height
  if (depth > categoryLimits.levels)
    throw invalidParent(
      'too_deep',
      `makes the tree ${depth} levels deep; the maximum is ${categoryLimits.levels}`,
    )
}

function invalidParent(code: string, message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer: '/parent', code, message }] })
}

/**
 * Foreign keys prevent the deletion of a category with products or subcategories, including those of concurrent writers. A rule change
 * locks its categories, so the category is locked before the rules are checked.
 */
export async function deleteCategory(
  database: Database,
  projectId: number,
  author: ChangeAuthor,
  id: number,
): Promise<void> {
  try {
    const work = async (tx: Transaction) => {
      const exists = await lockCategory(tx, projectId, id)
      const before = exists && (await findCategory(tx, projectId, id))
      if (!before) throw notFound('category', id)
      const rule = await findRuleOf(tx, projectId, id)
      if (rule !== undefined)
        throw new Problem('category_in_use', {
          detail: `The ${rule} uses this category; change it first, or merge the category into another.`,
        })
      await deleteCategoryRow(tx, projectId, id)
      await recordEvents(tx, projectId, { type: 'category.deleted', ...author, objects: [{ id, before }] })
    }
    await database.transaction(work, { project: projectId })
  } catch (error) {
    if (sqlState(error) === sqlStates.foreignKeyViolation) throw new Problem('category_in_use')
    throw error
  }
}

async function duplicateCategoryName(
  database: Queryable,
  projectId: number,
  parent: number | null,
  name: string,
): Promise<Problem> {
  const existing = await findSibling(database, projectId, parent, name)
  return new Problem('duplicate_name', {
    detail: `Category ${existing} already has the name "${name}"; use that category, or choose another name.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
