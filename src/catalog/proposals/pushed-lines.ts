import type { CategoryReference } from '../../model/categories/category-reference.ts'
import { nestFields } from '../../model/fields/field-paths.ts'
import { mapReferences, referencesByPath } from '../../model/fields/references.ts'
import { productLimits } from '../../model/limits/products.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { PushedLine } from '../batches/apply-line.ts'
import { duplicateSku } from '../products/create-product.ts'
import type { Outcome } from './proposal.schema.ts'
import type { CategoryName, Changes, OpenLine, Patch, ProposedCategories } from './proposal-line.sql.ts'

type CurrentProduct = { id: number; sku: string; version: number; category_ids: number[] }

type ProductLine = Omit<OpenLine, 'state'>

/** The current products of lines, and the products that have the SKUs that lines assign. */
export type CurrentProducts = { byId: Map<number, CurrentProduct>; takenSkus: Map<string, number> }

/** Finds products by ID, because their SKU may have changed. With `forUpdate`, they are locked until the transaction ends. */
export async function findCurrentProducts(
  tx: Transaction,
  projectId: number,
  lines: readonly Pick<ProductLine, 'product_id' | 'outcome' | 'patch' | 'changes'>[],
  forUpdate: boolean,
): Promise<CurrentProducts> {
  const ids = lines.flatMap(({ product_id }) => product_id ?? [])
  const rows =
    ids.length === 0
      ? []
      : await tx.query(
          planEachTime(sql<CurrentProduct>`
            select id, sku, version, to_json(category_ids) as category_ids from products
            where project_id = ${projectId} and id = any(${ids}::bigint[])
            order by id ${forUpdate ? sql`for no key update` : sql``}`),
        )
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    takenSkus: await findIdsBySku(tx, projectId, lines.flatMap(newSku)),
  }
}

function newSku({ outcome, patch, changes }: Pick<ProductLine, 'outcome' | 'patch' | 'changes'>): string[] {
  const sku = patch === null ? changes?.['sku']?.after : patch.sku
  return outcome !== 'created' && typeof sku === 'string' ? [sku] : []
}

/** The IDs of products, by SKU. */
export async function findIdsBySku(
  tx: Queryable,
  projectId: number,
  skus: string[],
): Promise<Map<string, number>> {
  if (skus.length === 0) return new Map()
  const rows = await tx.query(
    planEachTime(sql<{ id: number; sku: string }>`
      select id, sku from products where project_id = ${projectId} and sku = any(${skus}::text[])`),
  )
  return new Map(rows.map(({ id, sku }) => [sku, id]))
}

/** A proposal line as a push line with the current SKU of its product, or with the errors that prevent it. */
export function pushedLine(line: ProductLine, { byId, takenSkus }: CurrentProducts): PushedLine {
  const { product_id } = line
  if (product_id === null) return asPushLine(line, line.sku ?? '', [])
  const product = byId.get(product_id)
  if (product === undefined)
    return withError(line, {
      pointer: '',
      code: 'not_found',
      message: `product ${product_id} no longer exists`,
    })
  const [sku] = newSku(line)
  const holder = sku === undefined ? undefined : takenSkus.get(sku)
  if (sku !== undefined && holder !== undefined && holder !== product_id)
    return withError(line, {
      pointer: '/sku',
      code: 'duplicate_sku',
      message: duplicateSku(sku, holder).message,
    })
  // The first of several lines with the same new SKU gets it.
  if (sku !== undefined) takenSkus.set(sku, product_id)
  return asPushLine(line, product.sku, product.category_ids)
}

function asPushLine(line: ProductLine, sku: string, categoryIds: readonly number[]): PushedLine {
  const product = pushedProduct(line, sku, categoryIds)
  if ((product.categories?.length ?? 0) > productLimits.categories) return withError(line, tooManyCategories)
  return { line: line.line, sku, product, bytes: line.bytes }
}

const tooManyCategories = {
  pointer: '/categories',
  code: 'too_many',
  message: `must not have more than ${productLimits.categories} items`,
}

function withError({ line, sku }: ProductLine, error: BodyError): PushedLine {
  return { line, sku, errors: [error] }
}

/** The merge patch of a line, for a product with this SKU and these categories. */
function pushedProduct(
  line: Pick<OpenLine, 'outcome' | 'patch' | 'changes' | 'categories'>,
  sku: string,
  categoryIds: readonly number[],
): PushedProduct {
  const product = { sku, ...(line.patch ?? patchFromChanges(line.outcome, line.changes)) }
  if (line.categories === null) return product
  return { ...product, categories: editedCategories(categoryIds, line.categories) }
}

/** The merge patch that makes these changes. */
export function patchFromChanges(outcome: Outcome, changes: Changes | null): Patch {
  const values = Object.entries(changes ?? {}).map(([field, { after }]): [string, unknown] => [
    field,
    asInput(field, after),
  ])
  const patch: Patch = nestFields(values)
  // Without this, a new product with stock would be tracked.
  if (outcome === 'created' && patch.inventory !== undefined)
    patch.inventory = { tracked: false, ...patch.inventory }
  return patch
}

/** The categories of a product after edits. */
export function editedCategories(
  ids: readonly number[],
  { add, remove }: ProposedCategories,
): PushedProduct['categories'] & object {
  const kept = ids.filter((id) => !remove.includes(id))
  const added = add.filter((category) => !('id' in category) || !kept.includes(category.id))
  return [...kept.map((id) => ({ id })), ...added]
}

function asInput(field: string, value: unknown): unknown {
  const named = value ?? (referencesByPath.get(field) === 'categories' ? [] : null)
  return mapReferences(field, named, { category: categoryInput, product: referenceInput })
}

type Category = { id: number } | { id: null; path: string[] }

function categoryInput(category: Category): CategoryName & CategoryReference {
  return category.id === null ? { path: category.path } : { id: category.id }
}

/** By ID if there is one, because the SKU may have changed. */
function referenceInput({ id, sku, ...rest }: Reference) {
  return id === null ? { sku, ...rest } : { id, ...rest }
}
