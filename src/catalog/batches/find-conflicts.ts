import { structureLimits } from '../../model/limits/products.ts'
import { canAdjustComputedStock, needsStructureCheck } from '../../model/product/needs-structure-check.ts'
import type { Content } from '../../model/product/product-content.ts'
import { axisValues, componentTypes } from '../../model/structure/check-structure.ts'
import { combinationOf, takenClaims } from '../../model/structure/taken-combinations.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { takenVariant } from '../structure/duplicate-variant.ts'
import { countVariants, findVariants } from '../structure/references.sql.ts'
import {
  becomesParent,
  conflictOf,
  newParentConflicts,
  stockIsComputed,
  tooManyVariants,
} from '../structure/refuse-conflicts.ts'
import { findComputed } from '../structure/structure.sql.ts'
import type { AppliedLine, ProductState } from './applied-line.ts'
import { lineFaults } from './read-batches.ts'

/*
 * What stands in the way of lines is only known once all of a batch are applied: two variants may swap their values. Whoever comes
 * later is refused, and the batch is applied once more without it.
 */

/** A product that lines of the batch have touched, with what it was before and the lines. */
type Touched = { product: ProductState; before: Content | undefined; lines: AppliedLine[] }

/**
 * Of parents that lines of a push name: how many variants each had before the push, and how many more each batch brings. Batches
 * are written side by side, and do not see each other's in the database.
 */
export type VariantCounts = Map<number, { before: number; coming: Map<object, number> }>

type Looking = {
  projectId: number
  /** `batch` identifies the batch in the counts. */
  variants: { counts: VariantCounts; batch: object }
  /** Nobody changes what is looked at until the transaction ends. */
  hold: boolean
  /** The products as they were loaded. */
  before: ReadonlyMap<string, Content>
  /** Whether lines of the batch were refused many times already. */
  isLast: boolean
  /** Variants that the batches before would have made, in a dry run: their values, and their SKU. */
  combinations: ReadonlyMap<string, string>
}

export type Refusals = Map<number, BodyError[]>
type Refusing = { refusals: Refusals; isLast: boolean }

/** The lines that others stand in the way of, with what is wrong with them. */
export async function findConflicts(
  database: Queryable,
  looking: Looking,
  applied: readonly AppliedLine[],
): Promise<Refusals> {
  const touched = touchedProducts(applied, looking.before)
  if (touched.length === 0) return new Map()
  const refusals: Refusals = new Map()
  const refusing = { refusals, isLast: looking.isLast }
  for (const one of touched) await refuseConflict(database, looking, one, refusing)
  await refuseNewParents(database, looking, touched, refusing)
  await refuseComputed(database, looking, touched, refusing)
  refuseUnsettled(touched, refusing)
  const variants = touched.filter(({ product }) => product.axes !== undefined)
  if (variants.length > 0) {
    await refuseDuplicates(database, looking, touched, refusing)
    await refuseSurplus(database, looking, variants, refusing)
  }
  return refusals
}

function touchedProducts(applied: readonly AppliedLine[], before: ReadonlyMap<string, Content>): Touched[] {
  const touched = new Map<ProductState, Touched>()
  for (const line of applied) {
    const { product, outcome, sku } = line
    if (product === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    if (!needsStructureCheck(product)) continue
    const held = before.get(sku as string)
    touched.getOrInsert(product, { product, before: held, lines: [] }).lines.push(line)
  }
  return [...touched.values()]
}

/** The first line that is to blame: those that follow may be right without it. In the end all of them, or it would take too long. */
function refuse(
  { lines }: Touched,
  fields: readonly string[],
  faults: BodyError[],
  { refusals, isLast }: Refusing,
): void {
  const guilty = lines.filter(
    ({ outcome, changes }) =>
      outcome === 'created' || fields.some((field) => field in (changes?.after ?? {})),
  )
  for (const { line } of isLast ? guilty : guilty.slice(0, 1)) refusals.set(line, faults)
}

async function refuseConflict(
  database: Queryable,
  { projectId, hold }: Looking,
  touched: Touched,
  refusing: Refusing,
): Promise<void> {
  const { product, before } = touched
  if (product.id === undefined || before === undefined) return
  const { id, content } = product
  const conflict = await conflictOf(database, projectId, id, before, content, hold)
  if (conflict !== undefined)
    refuse(touched, ['product_type', 'variant_axes', 'sku'], lineFaults(conflict), refusing)
}

/** Refuses lines that make a parent which the variants that wait for it do not fit. */
async function refuseNewParents(
  database: Queryable,
  { projectId, hold }: Looking,
  touched: readonly Touched[],
  refusing: Refusing,
): Promise<void> {
  const made = touched.filter(({ product }) => product.created !== undefined)
  const contents = made.map(({ product }) => product.content)
  const conflicts = await newParentConflicts(database, projectId, contents, hold)
  for (const one of made) {
    const conflict = conflicts.get(one.product.content.sku)
    if (conflict !== undefined) refuse(one, [], lineFaults(conflict), refusing)
  }
}

/** Refuses lines that adjust a stock which follows from others, with one look at all of them. */
async function refuseComputed(
  database: Queryable,
  { projectId }: Looking,
  touched: readonly Touched[],
  refusing: Refusing,
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
    if (computed.has(product.id)) refuse(one, ['inventory'], lineFaults(stockIsComputed()), refusing)
}

/**
 * What a line says of its parent or components was compared with them as they were. Where the batch changes those so that it
 * matters, the line is refused.
 */
function refuseUnsettled(touched: readonly Touched[], refusing: Refusing): void {
  const changing = touched.filter(({ lines }) => !lines.some(({ line }) => refusing.refusals.has(line)))
  const changed = (field: 'product_type' | 'variant_axes') =>
    changing.filter(({ product: { steps } }) => steps.some(({ after }) => field in after))
  const retold = new Set(changed('variant_axes').map(({ product }) => product.id))
  const types = new Map(
    changed('product_type').map(({ product: { id, content } }) => [id, content.product_type]),
  )
  const become = new Map(
    changing
      .filter(({ product, before }) => becomesParent(before, product.content))
      .map(({ product: { id, content } }) => [content.sku, id]),
  )
  if (types.size + retold.size + become.size === 0) return
  for (const one of touched) {
    const { parent, components } = one.product.content
    if (
      parent !== null &&
      become.has(parent.sku) &&
      (parent.id === null || become.get(parent.sku) !== parent.id)
    )
      refuse(one, ['parent', 'attributes'], unsettled('/parent'), refusing)
    const isVariant = parent?.id != null && (types.has(parent.id) || retold.has(parent.id))
    if (isVariant && one.product.axes !== undefined)
      refuse(one, ['parent', 'attributes'], unsettled('/parent'), refusing)
    const isComposed = components.some(
      ({ id }) => id !== null && !componentTypes.includes(types.get(id) ?? 'simple'),
    )
    if (isComposed) refuse(one, ['components'], unsettled('/components'), refusing)
  }
}

function unsettled(pointer: string): BodyError[] {
  const message = 'changes its type or axes in the same push; push this line by itself, after that one'
  return [{ pointer, code: 'changed_meanwhile', message }]
}

/** Refuses the lines that give a variant the values of another one. */
async function refuseDuplicates(
  database: Queryable,
  { projectId, combinations, isLast }: Looking,
  products: readonly Touched[],
  refusing: Refusing,
): Promise<void> {
  const told = products.flatMap((touched) => {
    const { created, content, axes = [] } = touched.product
    const parent = content.parent
    if (parent === null || parent.id === null || axes.length === 0) return []
    if (created === undefined && !leaves(touched)) return []
    const values = axisValues(content, axes)
    const combination = combinationOf(parent.id, values)
    return [{ touched, parent, wanted: { parent: parent.id, values }, combination }]
  })
  const wanted = told.map((one) => one.wanted)
  const found = wanted.length === 0 ? [] : await findVariants(database, projectId, wanted)
  // Whoever leaves its values in this batch stands in nobody's way. In the end nobody counts on that, for it may be refused.
  const leaving = new Set(isLast ? [] : products.filter(leaves).map(({ product }) => product.id))
  const isOwn = (place: number, id: number) => told[place]?.touched.product.id === id
  const others = found.filter(({ place, id }) => !leaving.has(id) && !isOwn(place, id))
  const holderAt = new Map(others.map(({ place, id }) => [place, id]))
  const keeping = new Set(found.filter(({ place, id }) => isOwn(place, id)).map(({ place }) => place))
  const claims = told.map(({ touched: { product }, combination }, place) => {
    const isTaken = (combinations.get(combination) ?? product.content.sku) !== product.content.sku
    const [isKept, holder] = [keeping.has(place), holderAt.get(place)]
    return { id: product.id, combination, isKept, holder, isTaken }
  })
  for (const [place, holder] of takenClaims(claims)) {
    const { touched, parent } = told[place] as (typeof told)[number]
    const { message } = takenVariant(parent.sku, holder)
    const faults = [{ pointer: '/attributes', code: 'duplicate_variant', message }]
    refuse(touched, ['attributes', 'parent'], faults, refusing)
  }
}

/** Whether it may have other values, or another parent, than before. */
function leaves({ product: { steps } }: Touched): boolean {
  return steps.some(({ after }) => 'attributes' in after || 'parent' in after)
}

async function refuseSurplus(
  database: Queryable,
  { projectId, variants: { batch, counts: variantCounts } }: Looking,
  variants: readonly Touched[],
  refusing: Refusing,
): Promise<void> {
  const coming = variants.flatMap((touched) => {
    const parent = touched.product.content.parent?.id
    return parent == null || parent === touched.before?.parent?.id ? [] : [{ touched, parent }]
  })
  for (const counted of variantCounts.values()) counted.coming.delete(batch)
  if (coming.length === 0) return
  const met = new Set(coming.map(({ parent }) => parent))
  const counts = await countVariants(database, projectId, [...met])
  // Whoever comes first has counted before any batch wrote; from here on nobody else has a turn.
  for (const parent of met)
    variantCounts
      .getOrInsert(parent, { before: counts.get(parent) ?? 0, coming: new Map() })
      .coming.set(batch, 0)
  for (const { touched, parent } of coming) {
    const { before, coming: byBatch } = variantCounts.get(parent) as NonNullable<
      ReturnType<VariantCounts['get']>
    >
    const sum = byBatch.values().reduce((total, count) => total + count, before)
    if (sum >= structureLimits.variants) refuse(touched, ['parent'], [tooManyVariants], refusing)
    else byBatch.set(batch, (byBatch.get(batch) ?? 0) + 1)
  }
}
