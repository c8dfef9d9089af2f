import { recordEvents } from '../../../model/events/record-events.sql.ts'
import { categoryLimits } from '../../../model/limits/categories.ts'
import { contentOf, differences } from '../../../model/product/product-content.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import type { Ruleset } from '../../../model/quality/ruleset.ts'
import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sqlState } from '../../../platform/database/failures.ts'
import { sqlStates } from '../../../platform/database/sql-states.ts'
import { notFound, Problem } from '../../../platform/http/problems.ts'
import { walkInBatches } from '../../../platform/scheduling/walk-in-batches.ts'
import type { Category } from '../../categories/category.schema.ts'
import { deleteCategoryRow, findCategoriesBelow, findCategory } from '../../categories/category.sql.ts'
import { findLineage, lockTree } from '../../categories/category-tree.sql.ts'
import { findCategories } from '../../categories/look-up-categories.sql.ts'
import { writeLimits } from '../../limits.ts'
import { type Author, writeChanges } from '../write-products.ts'
import {
  childrenWithTakenNames,
  freeName,
  lockProductsOf,
  lockWithChildren,
  moveChildren,
  returnNothing,
} from './merge-category.sql.ts'
import { moveRules } from './move-rules.ts'

export type Merge = { projectId: number; author: Author; ruleset: Ruleset; id: number; into: number }
type Merged = { into: number; products: number; children: number }

/** Another writer added a product or a subcategory while the merge was finishing. */
const conflictStates: string[] = [sqlStates.foreignKeyViolation, sqlStates.uniqueViolation]

/**
 * Moves the products and subcategories of a category to another, and deletes it. Each batch is a transaction, so the same request
 * continues an interrupted merge.
 */
export async function mergeCategory(database: Database, merge: Merge): Promise<Merged> {
  await requireMergeable(database, merge)
  let products = 0
  for (let left = writeLimits.mergeRounds; left > 0; left -= 1) {
    products += await moveProducts(database, merge)
    const children = await finish(database, merge)
    if (children !== undefined) return { into: merge.into, products, children }
  }
  throw new Problem('too_busy', {
    detail: 'Other clients keep adding products to the category. Stop them and try again.',
  })
}

async function requireMergeable(database: Queryable, { projectId, id, into }: Merge): Promise<void> {
  const own = await findLineage(database, projectId, id)
  if (own === undefined) throw notFound('category', id)
  const other = await findLineage(database, projectId, into)
  if (other === undefined)
    throw invalidTarget('unknown_category', `there is no category ${into} in this project`)
  if (other.ancestors.includes(id))
    throw invalidTarget(
      'category_cycle',
      'is the category itself or a category below it; choose another category',
    )
  const depth = other.ancestors.length + own.height - 1
  if (depth > categoryLimits.levels)
    throw invalidTarget(
      'too_deep',
      `makes the tree ${depth} levels deep; the maximum is ${categoryLimits.levels}`,
    )
  const taken = await childrenWithTakenNames(database, projectId, id, into)
  if (taken.length > 0)
    throw new Problem('duplicate_name', {
      detail: `Both categories have subcategories named "${taken.join('", "')}"; merge or rename those first.`,
    })
}

function invalidTarget(code: string, message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer: '/into', code, message }] })
}

async function moveProducts(database: Database, merge: Merge): Promise<number> {
  const limits = {
    statementTimeoutSeconds: writeLimits.mergeStatementSeconds,
    bulk: true,
    project: merge.projectId,
  }
  let moved = 0
  await walkInBatches({}, async () => {
    const batch = await database.transaction((tx) => moveBatch(tx, merge), limits)
    moved += batch
    return batch < writeLimits.mergedProducts || undefined
  })
  return moved
}

async function moveBatch(tx: Transaction, { projectId, author, ruleset, id, into }: Merge): Promise<number> {
  const rows = await lockProductsOf(tx, projectId, id, writeLimits.mergedProducts)
  // Locked, so that it is not deleted meanwhile. If it no longer exists, the last step reports it.
  const [target] = rows.length === 0 ? [] : await findCategories(tx, projectId, [into], [], true)
  if (target === undefined) return 0
  const changes = rows.flatMap((row) => {
    const before = contentOf(row)
    const content = { ...before, categories: replaceCategory(row, id, { id: into, name: target.name }) }
    const step = differences(before, content)
    return step === undefined
      ? []
      : [{ row, content, steps: [step], levels: undefined, adjustments: [], author, ruleset }]
  })
  await writeChanges(tx, projectId, changes, returnNothing)
  return rows.length
}

/** The other category takes the same position; a product that has both keeps the first position. */
function replaceCategory(
  { categories }: ProductRow,
  id: number,
  other: ProductRow['categories'][number],
): ProductRow['categories'] {
  const named = categories.map((category) => (category.id === id ? other : category))
  return [...new Map(named.map((category) => [category.id, category])).values()]
}

/** Undefined if another writer interfered: then the caller starts again. */
async function finish(database: Database, merge: Merge): Promise<number | undefined> {
  const { projectId, author, id, into } = merge
  try {
    return await database.transaction(
      async (tx) => {
        await lockTree(tx, projectId)
        await lockWithChildren(tx, projectId, id)
        await requireMergeable(tx, merge)
        const before = (await findCategory(tx, projectId, id)) as Category
        const children = await moveSubcategories(tx, merge)
        await moveRules(tx, projectId, author, id, into)
        await deleteCategoryRow(tx, projectId, id)
        await recordEvents(tx, projectId, { type: 'category.deleted', ...author, objects: [{ id, before }] })
        return children
      },
      { project: projectId },
    )
  } catch (error) {
    if (conflictStates.includes(sqlState(error) ?? '')) return undefined
    throw error
  }
}

/** Moves the direct subcategories, and returns their number. */
async function moveSubcategories(tx: Transaction, { projectId, author, id, into }: Merge): Promise<number> {
  const children = await findCategoriesBelow(tx, projectId, id)
  if (children.length === 0) return 0
  await freeName(tx, projectId, id)
  const moved = await moveChildren(tx, projectId, id, into)
  // Its new subcategories prevent that it is deleted.
  const target = (await findCategory(tx, projectId, into)) as Category
  const times = new Map(moved.map((row) => [row.id, row.updated_at]))
  const objects = children.map((before) => {
    const path = [...target.path, before.name]
    const updated_at = times.get(before.id) as string
    return { id: before.id, before, after: { ...before, parent: into, path, updated_at } }
  })
  await recordEvents(tx, projectId, { type: 'category.updated', ...author, objects })
  return children.length
}
