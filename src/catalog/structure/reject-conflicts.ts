import { structureLimits } from '../../model/limits/products.ts'
import type { Content } from '../../model/product/product-content.ts'
import { componentTypes } from '../../model/structure/check-structure.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import {
  countVariants,
  findAwaited,
  findReferrer,
  listSiblings,
  listWaiting,
  lockExclusively,
  lockParentNames,
} from './references.sql.ts'

const maxListed = 5

/** Why other products do not allow a change. With `forUpdate`, prevents new references until the transaction ends. */
export async function findStructureConflict(
  database: Queryable,
  projectId: number,
  id: number,
  before: Content,
  after: Content,
  forUpdate: boolean,
): Promise<Problem | undefined> {
  const isRetyped = before.product_type !== after.product_type
  const changesAxes =
    before.product_type === 'configurable' && !isSame(before.variant_axes, after.variant_axes) && !isRetyped
  const becomes = becomesParent(before, after)
  if (!isRetyped && !changesAxes && !becomes) return undefined
  if (forUpdate) await lockExclusively(database, projectId, id)
  const conflict = isRetyped ? await typeConflict(database, projectId, id, before, after) : undefined
  if (conflict !== undefined || after.product_type !== 'configurable') return conflict
  if (forUpdate) await lockParentNames(database, projectId, [after.sku], 'alone')
  return variantsConflict(database, projectId, { id, content: after, changesAxes }, forUpdate)
}

/** Whether a write creates a parent that variants may wait for: with a new product, SKU or type. */
export function becomesParent(before: Content | undefined, after: Content): boolean {
  if (after.product_type !== 'configurable') return false
  return before?.product_type !== 'configurable' || before.sku !== after.sku
}

/** Rejects new parents that do not fit the variants that wait for them. Prevents new references until the transaction ends. */
export async function rejectUnfitParents(
  tx: Queryable,
  projectId: number,
  creations: readonly { content: Content }[],
): Promise<void> {
  const conflicts = await newParentConflicts(
    tx,
    projectId,
    creations.map(({ content }) => content),
    true,
  )
  for (const conflict of conflicts.values()) throw conflict
}

/** The conflicts of new products, by SKU. Sends one query if no variants wait for them. */
export async function newParentConflicts(
  database: Queryable,
  projectId: number,
  contents: readonly Content[],
  forUpdate: boolean,
): Promise<Map<string, Problem>> {
  const conflicts = new Map<string, Problem>()
  const bySku = new Map(
    contents.filter((content) => becomesParent(undefined, content)).map((content) => [content.sku, content]),
  )
  if (bySku.size === 0) return conflicts
  const skus = [...bySku.keys()]
  if (forUpdate) await lockParentNames(database, projectId, skus, 'alone')
  for (const sku of await findAwaited(database, projectId, skus)) {
    const parent = { id: undefined, content: bySku.get(sku) as Content, changesAxes: false }
    const conflict = await variantsConflict(database, projectId, parent, forUpdate)
    if (conflict !== undefined) conflicts.set(sku, conflict)
  }
  return conflicts
}

type NewParent = {
  id: number | undefined
  content: Pick<Content, 'sku' | 'variant_axes'>
  /** Whether its axes change, so that its own variants are checked, too. */
  changesAxes: boolean
}

/** Returns a conflict if a parent and the variants that wait for it have too many variants, or missing or equal axis values. */
export async function variantsConflict(
  database: Queryable,
  projectId: number,
  { id, content: { sku, variant_axes }, changesAxes }: NewParent,
  forUpdate: boolean,
): Promise<Problem | undefined> {
  const waiting = await listWaiting(database, projectId, sku, structureLimits.variants + 1, forUpdate)
  if (waiting.length === 0 && !changesAxes) return undefined
  const count = id === undefined ? 0 : ((await countVariants(database, projectId, [id])).get(id) ?? 0)
  if (waiting.length > 0 && waiting.length + count > structureLimits.variants) {
    const message = `is the parent of more than ${structureLimits.variants - count} products, and a product has at most ${structureLimits.variants} variants; change their parent first`
    return new Problem('invalid_body', { errors: [{ pointer: '/sku', code: 'too_many', message }] })
  }
  return axesConflict(database, projectId, id, waiting, variant_axes)
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
}

async function typeConflict(
  database: Queryable,
  projectId: number,
  id: number,
  before: Content,
  { product_type: type }: Content,
): Promise<Problem | undefined> {
  const hasChildren = (detail: string) => new Problem('has_children', { detail })
  if (before.product_type === 'configurable') {
    const variant = await findReferrer(database, projectId, id, 'parent')
    if (variant !== undefined)
      return hasChildren(`Product ${variant} is a variant of this product; remove its variants first.`)
  }
  if (!componentTypes.includes(type)) {
    const holder = await findReferrer(database, projectId, id, 'component')
    if (holder !== undefined)
      return hasChildren(
        `Product ${holder} has this product as a component; a component is ${componentTypes.join(' or ')}.`,
      )
  }
  return undefined
}

/** Every variant needs a value for each axis, and no two variants the same values. */
async function axesConflict(
  database: Queryable,
  projectId: number,
  id: number | undefined,
  added: readonly number[],
  axes: readonly string[],
): Promise<Problem | undefined> {
  if (axes.length === 0) return undefined
  const siblings = await listSiblings(database, projectId, id, added, axes)
  const incomplete = siblings.filter(({ is_complete }) => !is_complete).map(({ sku }) => sku)
  if (incomplete.length > 0) {
    const listed = incomplete.slice(0, maxListed).join(', ')
    const message = `${incomplete.length} variants have no single value for an axis: ${listed}; set their values first`
    return new Problem('invalid_body', { errors: [{ pointer: '/variant_axes', code: 'required', message }] })
  }
  const skuByHash = new Map<string | null, string>()
  for (const { sku, hash } of siblings) {
    const other = skuByHash.get(hash)
    if (other !== undefined)
      return new Problem('duplicate_variant', {
        detail: `The variants ${other} and ${sku} would have the same values; change one of them first.`,
      })
    skuByHash.set(hash, sku)
  }
  return undefined
}

export function rejectErrors(errors: BodyError[]): void {
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}

/** Counts existing and new variants. */
export async function rejectTooManyVariants(
  database: Queryable,
  projectId: number,
  creations: readonly { content: Content }[],
): Promise<void> {
  const parents = creations.flatMap(({ content: { parent } }) => parent?.id ?? [])
  if (parents.length === 0) return
  const counts = await countVariants(database, projectId, [...new Set(parents)])
  for (const parent of parents) {
    const count = (counts.get(parent) ?? 0) + 1
    counts.set(parent, count)
    if (count > structureLimits.variants) rejectErrors([tooManyVariants])
  }
}

export const tooManyVariants = {
  pointer: '/parent',
  code: 'too_many',
  message: `has ${structureLimits.variants} variants, the maximum`,
}

/** Problems that every product write can return. */
export const structureProblems = [
  'duplicate_variant',
  'has_children',
  'stock_is_computed',
  'view_currency_changed',
] as const

export function stockIsComputed(): Problem {
  return new Problem('stock_is_computed')
}
