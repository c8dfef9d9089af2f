import type { Database, Queryable, Transaction } from '../database/database.ts'
import { sqlState } from '../database/failures.ts'
import { notFound, Problem } from '../http/problems.ts'
import type { Category } from './category.schema.ts'
import { deleteCategoryRow, findCategoryIdByName, insertCategory, renameCategoryRow } from './category.sql.ts'

const foreignKeyViolation = '23503'
const uniqueViolation = '23505'

export async function createCategory(tx: Transaction, projectId: number, name: string): Promise<Category> {
  const row = await insertCategory(tx, projectId, name)
  if (row === undefined) throw await duplicateName(tx, projectId, name)
  return row
}

/** The new name shows in every product at once: products hold the category, not its name. */
export async function renameCategory(
  database: Database,
  projectId: number,
  id: number,
  name: string,
): Promise<Category> {
  try {
    const row = await database.transaction((tx) => renameCategoryRow(tx, projectId, id, name), {
      project: projectId,
    })
    if (row === undefined) throw notFound('category', id)
    return row
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw await duplicateName(database, projectId, name)
    throw error
  }
}

/** The database refuses to delete a category that a product has, also a product that is being written at this moment. */
export async function deleteCategory(database: Database, projectId: number, id: number): Promise<void> {
  try {
    const work = (tx: Transaction) => deleteCategoryRow(tx, projectId, id)
    if (!(await database.transaction(work, { project: projectId }))) throw notFound('category', id)
  } catch (error) {
    if (sqlState(error) === foreignKeyViolation) throw new Problem('category_in_use')
    throw error
  }
}

async function duplicateName(database: Queryable, projectId: number, name: string): Promise<Problem> {
  const existing = await findCategoryIdByName(database, projectId, name)
  return new Problem('duplicate_name', {
    detail: `Category ${existing} has the name "${name}"; use that one, or choose another name.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
