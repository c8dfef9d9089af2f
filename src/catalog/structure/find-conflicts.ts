import { structureLimits } from '../../model/limits/products.ts'
import {
  canAdjustComputedStock,
  needsStructureCheck,
  type Written,
} from '../../model/product/needs-structure-check.ts'
import type { Content } from '../../model/product/product-content.ts'
import { axisValues, componentTypes } from '../../model/structure/check-structure.ts'
import { combinationOf, takenClaims } from '../../model/structure/taken-combinations.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { takenVariant } from './duplicate-variant.ts'
import { countVariants, findVariants } from './references.sql.ts'
import {
  becomesParent,
  findStructureConflict,
  newParentConflicts,
  stockIsComputed,
  tooManyVariants,
} from './reject-conflicts.ts'
import { findComputed } from './structure.sql.ts'

/*
 * Conflicts are known only after all lines of a batch are applied, because two variants may swap their values. The later line of a
 * conflict is rejected, and the batch is applied again without it.
 */

/** A product after the lines of a batch. A new product has no ID yet. */
type WrittenProduct = Written & { id: number | undefined }

/** A line, and the product that it changes; a rejected line may have none. */
type ChangingLine = {
  line: number
  sku: string | null
  product: WrittenProduct | undefined
  outcome: string
  changes: { after: object } | undefined
}

/** A product that lines of the batch change, its content before, and these lines. */
type Touched = { product: WrittenProduct; before: Content | undefined; lines: ChangingLine[] }

/**
 * The number of variants that each parent had before the push, and the number that each batch adds. Parallel batches cannot see
 * each other's rows in the database.
 */
export type VariantCounts = Map<number, { before: number; added: Map<object, number> }>

type ConflictSearch = {
  projectId: number
  /** `batch` identifies the batch in the counts. */
  variants: { counts: VariantCounts; batch: object }
  /** Locks the rows that are read until the transaction ends. */
  forUpdate: boolean
  /** The loaded products. */
  before: ReadonlyMap<string, Content>
  /** Whether to reject all conflicting lines of a product, not only the first. */
  rejectsAll: boolean
  /** In a dry run: the values of variants that earlier batches would have created, with their SKU. */
  combinations: ReadonlyMap<string, string>
}

/** By line number: what a single write would throw. */
type Conflicts = Map<number, Problem>
type Rejections = { rejected: Conflicts; rejectsAll: boolean }

/** The lines that conflict with other lines or other products. */
export async function findConflicts(
  database: Queryable,
  search: ConflictSearch,
  applied: readonly ChangingLine[],
): Promise<Conflicts> {
  const touched = touchedProducts(applied, search.before)
  if (touched.length === 0) return new Map()
  const rejected: Conflicts = new Map()
  const rejections = { rejected, rejectsAll: search.rejectsAll }
  for (const one of touched) await rejectTypeConflicts(database, search, one, rejections)
  await rejectNewParents(database, search, touched, rejections)
  await rejectComputedStock(database, search, touched, rejections)
  rejectUnsettled(touched, rejections)
  const variants = touched.filter(({ product }) => product.axes !== undefined)
  if (variants.length > 0) {
    await rejectDuplicates(database, search, touched, rejections)
    await rejectSurplus(database, search, variants, rejections)
  }
  return rejected
}

function touchedProducts(applied: readonly ChangingLine[], before: ReadonlyMap<string, Content>): Touched[] {
  const touched = new Map<WrittenProduct, Touched>()
  for (const line of applied) {
    const { product, outcome, sku } = line
    if (product === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    if (!needsStructureCheck(product)) continue
    const content = before.get(sku as string)
    touched.getOrInsert(product, { product, before: content, lines: [] }).lines.push(line)
  }
  return [...touched.values()]
}

/** Rejects the first line that changes one of the fields: later lines may be valid without it. */
function reject(
  { lines }: Touched,
  fields: readonly string[],
  conflict: Problem,
  { rejected, rejectsAll }: Rejections,
): void {
  const conflicting = lines.filter(
    ({ outcome, changes }) =>
      outcome === 'created' || fields.some((field) => field in (changes?.after ?? {})),
  )
  for (const { line } of rejectsAll ? conflicting : conflicting.slice(0, 1)) rejected.set(line, conflict)
}

/** Rejects a change of type, axes or SKU that variants or bundles of the product do not allow. */
async function rejectTypeConflicts(
  database: Queryable,
  { projectId, forUpdate }: ConflictSearch,
  touched: Touched,
  rejections: Rejections,
): Promise<void> {
  const { product, before } = touched
  if (product.id === undefined || before === undefined) return
  const { id, content } = product
  const conflict = await findStructureConflict(database, projectId, id, before, content, forUpdate)
  if (conflict !== undefined) reject(touched, ['product_type', 'variant_axes', 'sku'], conflict, rejections)
}

/** Rejects new parents that do not fit the variants that wait for them. */
async function rejectNewParents(
  database: Queryable,
  { projectId, forUpdate }: ConflictSearch,
  touched: readonly Touched[],
  rejections: Rejections,
): Promise<void> {
  const created = touched.filter(({ product }) => product.created !== undefined)
  const contents = created.map(({ product }) => product.content)
  const conflicts = await newParentConflicts(database, projectId, contents, forUpdate)
  for (const one of created) {
    const conflict = conflicts.get(one.product.content.sku)
    if (conflict !== undefined) reject(one, [], conflict, rejections)
  }
}

/** Rejects stock adjustments of products whose stock is computed from others, with one query. */
async function rejectComputedStock(
  database: Queryable,
  { projectId }: ConflictSearch,
  touched: readonly Touched[],
  rejections: Rejections,
): Promise<void> {
  const adjusted = touched.flatMap((one) => {
    const { id, content } = one.product
    return id !== undefined && canAdjustComputedStock(one.product)
      ? [{ one, product: { ...content, id } }]
      : []
  })
  if (adjusted.length === 0) return
  const computed = await findComputed(
    database,
    projectId,
    adjusted.map(({ product }) => product),
  )
  for (const { one, product } of adjusted)
    if (computed.has(product.id)) reject(one, ['inventory'], stockIsComputed(), rejections)
}

/**
 * The parent and components of a line were checked as they were before the batch. If the batch changes their type or axes, the
 * line is rejected.
 */
function rejectUnsettled(touched: readonly Touched[], rejections: Rejections): void {
  const changing = touched.filter(({ lines }) => !lines.some(({ line }) => rejections.rejected.has(line)))
  const changed = (field: 'product_type' | 'variant_axes') =>
    changing.filter(({ product: { steps } }) => steps.some(({ after }) => field in after))
  const newAxes = new Set(changed('variant_axes').map(({ product }) => product.id))
  const types = new Map(
    changed('product_type').map(({ product: { id, content } }) => [id, content.product_type]),
  )
  const newParents = new Map(
    changing
      .filter(({ product, before }) => becomesParent(before, product.content))
      .map(({ product: { id, content } }) => [content.sku, id]),
  )
  if (types.size + newAxes.size + newParents.size === 0) return
  for (const one of touched) {
    const { parent, components } = one.product.content
    if (
      parent !== null &&
      newParents.has(parent.sku) &&
      (parent.id === null || newParents.get(parent.sku) !== parent.id)
    )
      reject(one, ['parent', 'attributes'], unsettled('/parent'), rejections)
    const isVariant = parent?.id != null && (types.has(parent.id) || newAxes.has(parent.id))
    if (isVariant && one.product.axes !== undefined)
      reject(one, ['parent', 'attributes'], unsettled('/parent'), rejections)
    const isComposed = components.some(
      ({ id }) => id !== null && !componentTypes.includes(types.get(id) ?? 'simple'),
    )
    if (isComposed) reject(one, ['components'], unsettled('/components'), rejections)
  }
}

function unsettled(pointer: string): Problem {
  const message = 'changes its type or axes in the same push; push this line separately, after that one'
  return invalid({ pointer, code: 'changed_meanwhile', message })
}

function invalid(error: BodyError): Problem {
  return new Problem('invalid_body', { errors: [error] })
}

/** Rejects lines that give a variant the axis values of another variant. */
async function rejectDuplicates(
  database: Queryable,
  { projectId, combinations, rejectsAll }: ConflictSearch,
  products: readonly Touched[],
  rejections: Rejections,
): Promise<void> {
  const variants = products.flatMap((touched) => {
    const { created, content, axes = [] } = touched.product
    const parent = content.parent
    if (parent === null || parent.id === null || axes.length === 0) return []
    if (created === undefined && !leaves(touched)) return []
    const values = axisValues(content, axes)
    const combination = combinationOf(parent.id, values)
    return [{ touched, parent, wanted: { parent: parent.id, values }, combination }]
  })
  const wanted = variants.map((one) => one.wanted)
  const found = wanted.length === 0 ? [] : await findVariants(database, projectId, wanted)
  // A variant that gives up its values in this batch is no conflict, unless its line may still be rejected.
  const leaving = new Set(rejectsAll ? [] : products.filter(leaves).map(({ product }) => product.id))
  const isOwn = (place: number, id: number) => variants[place]?.touched.product.id === id
  const others = found.filter(({ place, id }) => !leaving.has(id) && !isOwn(place, id))
  const holderAt = new Map(others.map(({ place, id }) => [place, id]))
  const keeping = new Set(found.filter(({ place, id }) => isOwn(place, id)).map(({ place }) => place))
  const claims = variants.map(({ touched: { product }, combination }, place) => {
    const isTaken = (combinations.get(combination) ?? product.content.sku) !== product.content.sku
    const [isKept, holder] = [keeping.has(place), holderAt.get(place)]
    return { id: product.id, combination, isKept, holder, isTaken }
  })
  for (const [place, holder] of takenClaims(claims)) {
    const { touched, parent } = variants[place] as (typeof variants)[number]
    const { message } = takenVariant(parent.sku, holder)
    const conflict = invalid({ pointer: '/attributes', code: 'duplicate_variant', message })
    reject(touched, ['attributes', 'parent'], conflict, rejections)
  }
}

/** Whether the variant may give up its values or its parent. */
function leaves({ product: { steps } }: Touched): boolean {
  return steps.some(({ after }) => 'attributes' in after || 'parent' in after)
}

/** Rejects variants above the limit per parent. */
async function rejectSurplus(
  database: Queryable,
  { projectId, variants: { batch, counts: variantCounts } }: ConflictSearch,
  variants: readonly Touched[],
  rejections: Rejections,
): Promise<void> {
  const moved = variants.flatMap((touched) => {
    const parent = touched.product.content.parent?.id
    return parent == null || parent === touched.before?.parent?.id ? [] : [{ touched, parent }]
  })
  for (const counted of variantCounts.values()) counted.added.delete(batch)
  if (moved.length === 0) return
  const parents = new Set(moved.map(({ parent }) => parent))
  const counts = await countVariants(database, projectId, [...parents])
  // The first batch counts before any batch writes. From here on the code is synchronous, so that counts are not shared.
  for (const parent of parents)
    variantCounts
      .getOrInsert(parent, { before: counts.get(parent) ?? 0, added: new Map() })
      .added.set(batch, 0)
  for (const { touched, parent } of moved) {
    const { before, added: byBatch } = variantCounts.get(parent) as NonNullable<
      ReturnType<VariantCounts['get']>
    >
    const sum = byBatch.values().reduce((total, count) => total + count, before)
    if (sum >= structureLimits.variants) reject(touched, ['parent'], invalid(tooManyVariants), rejections)
    else byBatch.set(batch, (byBatch.get(batch) ?? 0) + 1)
  }
}
