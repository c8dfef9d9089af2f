import { structureLimits } from '../../model/limits/products.ts'
import type { Content } from '../../model/product/product-content.ts'
import { componentTypes } from '../../model/structure/check-structure.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type BodyFault, Problem } from '../../platform/http/problems.ts'
import { countVariants } from '../structure/references.sql.ts'
import {
  becomesParent,
  conflictOf,
  newParentConflicts,
  stockIsComputed,
  tooManyVariants,
} from '../structure/refuse-conflicts.ts'
import { findComputed } from '../structure/structure.sql.ts'
import type { AppliedLine, Pushed } from './apply-lines.ts'
import { faultsOf } from './read-batches.ts'
import { refuseDuplicates } from './refuse-duplicates.ts'
import {
  type Looking,
  type Refusals,
  type Refusing,
  refuse,
  type Touched,
  type VariantCounts,
} from './refuse-lines.ts'

/*
 * What stands in the way of lines is only known once all of a batch are applied: two variants may swap their values. Whoever comes
 * later is refused, and the batch is applied once more without it.
 */

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

const composed = ['configurable', 'bundle', 'grouped']
const structural = ['product_type', 'variant_axes', 'parent', 'components'] as const

/** Variants that wait for their parent have no axes yet. */
function isStructural({ product_type, parent, components }: Content): boolean {
  return product_type === 'configurable' || parent !== null || components.length > 0
}

/** Products whose structure has changed, or whose stock may follow from others; most batches have none. */
function touchedProducts(applied: readonly AppliedLine[], before: ReadonlyMap<string, Content>): Touched[] {
  const touched = new Map<Pushed, Touched>()
  for (const line of applied) {
    const { product, outcome, sku } = line
    if (product === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    const { created, steps, adjustments, content, axes } = product
    const isTouched =
      axes !== undefined ||
      (created !== undefined && isStructural(content)) ||
      steps.some(({ after }) => structural.some((field) => field in after)) ||
      (isStructural(content) && steps.some(({ after }) => 'sku' in after || 'attributes' in after)) ||
      (adjustments.length > 0 && composed.includes(content.product_type))
    if (!isTouched) continue
    const held = before.get(sku as string)
    touched.getOrInsert(product, { product, before: held, lines: [] }).lines.push(line)
  }
  return [...touched.values()]
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
    refuse(touched, ['product_type', 'variant_axes', 'sku'], faultsOf(conflict), refusing)
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
    if (conflict !== undefined) refuse(one, [], faultsOf(conflict), refusing)
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
    const { id, content, adjustments } = one.product
    const isLookedAt = id !== undefined && adjustments.length > 0 && composed.includes(content.product_type)
    return isLookedAt ? [{ one, product: { ...content, id } }] : []
  })
  if (adjusted.length === 0) return
  const computed = await findComputed(
    database,
    projectId,
    adjusted.map(({ product }) => product),
  )
  for (const { one, product } of adjusted)
    if (computed.has(product.id)) refuse(one, ['inventory'], faultsOf(stockIsComputed()), refusing)
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

function unsettled(pointer: string): BodyFault[] {
  const message = 'changes its type or axes in the same push; push this line by itself, after that one'
  return [{ pointer, code: 'changed_meanwhile', message }]
}

async function refuseSurplus(
  database: Queryable,
  { projectId, batch, variantCounts }: Looking,
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

/** Others wrote the same products between each two of our looks at them. */
export function overtaken(): Problem {
  return new Problem('too_busy', {
    detail:
      'Others change the products of this push all the time. Nothing of it was written; try again in a moment.',
  })
}
