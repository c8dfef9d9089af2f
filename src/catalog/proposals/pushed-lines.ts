import type { CategoryReference } from '../../model/categories/category-reference.ts'
import { nestFields } from '../../model/fields/field-paths.ts'
import { mapReferences, referencesByPath } from '../../model/fields/references.ts'
import { productLimits } from '../../model/limits/products.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { Reference } from '../../model/structure/structure.schema.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { PushedLine } from '../batches/read-batches.ts'
import { duplicateSku } from '../products/create-product.ts'
import type { Outcome } from './proposal.schema.ts'
import type { CategoryEdits, CategoryName, Changes, OpenLine, Patch } from './proposal-line.sql.ts'

type NamedProduct = { id: number; sku: string; version: number; category_ids: number[] }

type NamingLine = Omit<OpenLine, 'state'>

/** The products of some lines as they are now, and who has the SKUs that lines want to give them. */
export type NamedProducts = { byId: Map<number, NamedProduct>; takenSkus: Map<string, number> }

/** Found by their ids, because a SKU may be another by now. Held, nobody else changes them until the transaction ends. */
export async function findNamedProducts(
  tx: Transaction,
  projectId: number,
  lines: readonly NamingLine[],
  hold: boolean,
): Promise<NamedProducts> {
  const ids = lines.flatMap(({ product_id }) => product_id ?? [])
  const rows =
    ids.length === 0
      ? []
      : await tx.query(
          planEachTime(sql<NamedProduct>`
            select id, sku, version, to_json(category_ids) as category_ids from products
            where project_id = ${projectId} and id = any(${ids}::bigint[])
            order by id ${hold ? sql`for no key update` : sql``}`),
        )
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    takenSkus: await findHolders(tx, projectId, lines.flatMap(wantedSku)),
  }
}

function wantedSku({ outcome, patch, changes }: NamingLine): string[] {
  const sku = patch === null ? changes?.['sku']?.after : patch.sku
  return outcome !== 'created' && typeof sku === 'string' ? [sku] : []
}

/** Who has some SKUs. */
export async function findHolders(
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

/** A line as a push would say it, under the SKU that its product has now; or what stands in its way. */
export function pushedLine(line: NamingLine, { byId, takenSkus }: NamedProducts): PushedLine {
  const { product_id } = line
  if (product_id === null) return said(line, line.sku ?? '', [])
  const product = byId.get(product_id)
  if (product === undefined)
    return faulty(line, {
      pointer: '',
      code: 'not_found',
      message: `there is no product ${product_id} any more`,
    })
  const [sku] = wantedSku(line)
  const holder = sku === undefined ? undefined : takenSkus.get(sku)
  if (sku !== undefined && holder !== undefined && holder !== product_id)
    return faulty(line, {
      pointer: '/sku',
      code: 'duplicate_sku',
      message: duplicateSku(sku, holder).message,
    })
  // Of several lines that want a SKU the first has it.
  if (sku !== undefined) takenSkus.set(sku, product_id)
  return said(line, product.sku, product.category_ids)
}

function said(line: NamingLine, sku: string, categoryIds: readonly number[]): PushedLine {
  const product = pushedProduct(line, sku, categoryIds)
  if ((product.categories?.length ?? 0) > productLimits.categories) return faulty(line, tooManyCategories)
  return { line: line.line, sku, product, bytes: line.bytes }
}

const tooManyCategories = {
  pointer: '/categories',
  code: 'too_many',
  message: `must not have more than ${productLimits.categories} items`,
}

function faulty({ line, sku }: NamingLine, fault: BodyError): PushedLine {
  return { line, sku, faults: [fault] }
}

/** What a line writes, as a push would say it of the product that has the SKU now, with the categories that it has. */
function pushedProduct(
  line: Pick<OpenLine, 'outcome' | 'patch' | 'changes' | 'categories'>,
  sku: string,
  categoryIds: readonly number[],
): PushedProduct {
  const product = { sku, ...(line.patch ?? patchOf(line.outcome, line.changes)) }
  if (line.categories === null) return product
  return { ...product, categories: editedCategories(categoryIds, line.categories) }
}

/** Changes as a push would say them. */
export function patchOf(outcome: Outcome, changes: Changes | null): Patch {
  const values = Object.entries(changes ?? {}).map(([field, { after }]): [string, unknown] => [
    field,
    asInput(field, after),
  ])
  const patch: Patch = nestFields(values)
  // A new product is not tracked unless it says so; with a stock of its own it would be.
  if (outcome === 'created' && patch.inventory !== undefined)
    patch.inventory = { tracked: false, ...patch.inventory }
  return patch
}

/** Those that a product has, without those that are removed, and with those that are added. */
export function editedCategories(
  ids: readonly number[],
  { add, remove }: CategoryEdits,
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

/** By the id where there is one: the SKU may be another by now. */
function referenceInput({ id, sku, ...rest }: Reference) {
  return id === null ? { sku, ...rest } : { id, ...rest }
}
