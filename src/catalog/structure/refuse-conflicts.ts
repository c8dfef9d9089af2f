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
  lockAlone,
  lockParentNames,
} from './references.sql.ts'

const mostTold = 5

/** Why others stand in the way of what a product is to become. With `hold` nobody comes to depend on it meanwhile. */
export async function conflictOf(
  database: Queryable,
  projectId: number,
  id: number,
  before: Content,
  after: Content,
  hold: boolean,
): Promise<Problem | undefined> {
  const isRetyped = before.product_type !== after.product_type
  const isTold =
    before.product_type === 'configurable' && !isSame(before.variant_axes, after.variant_axes) && !isRetyped
  const becomes = becomesParent(before, after)
  if (!isRetyped && !isTold && !becomes) return undefined
  if (hold) await lockAlone(database, projectId, id)
  const conflict = isRetyped ? await typeConflict(database, projectId, id, before, after) : undefined
  if (conflict !== undefined || after.product_type !== 'configurable') return conflict
  if (hold) await lockParentNames(database, projectId, [after.sku], 'alone')
  return variantsConflict(database, projectId, { id, content: after, isTold }, hold)
}

/** Whether variants may wait for what a product becomes: by a new product, a new SKU, or a new type. */
export function becomesParent(before: Content | undefined, after: Content): boolean {
  if (after.product_type !== 'configurable') return false
  return before?.product_type !== 'configurable' || before.sku !== after.sku
}

/** Refuses new parents that the variants which wait for them do not fit. Nobody names one of them until the transaction ends. */
export async function refuseMisfits(
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

/** What stands in the way of new products, by their SKUs: with one look where no variant waits for any of them. */
export async function newParentConflicts(
  database: Queryable,
  projectId: number,
  contents: readonly Content[],
  hold: boolean,
): Promise<Map<string, Problem>> {
  const conflicts = new Map<string, Problem>()
  const bySku = new Map(
    contents.filter((content) => becomesParent(undefined, content)).map((content) => [content.sku, content]),
  )
  if (bySku.size === 0) return conflicts
  const skus = [...bySku.keys()]
  if (hold) await lockParentNames(database, projectId, skus, 'alone')
  for (const sku of await findAwaited(database, projectId, skus)) {
    const parent = { id: undefined, content: bySku.get(sku) as Content, isTold: false }
    const conflict = await variantsConflict(database, projectId, parent, hold)
    if (conflict !== undefined) conflicts.set(sku, conflict)
  }
  return conflicts
}

type NewParent = {
  id: number | undefined
  content: Pick<Content, 'sku' | 'variant_axes'>
  /** Whether its axes change, which its own variants have to fit too. */
  isTold: boolean
}

/** Whether the variants of a parent, with those that wait for its SKU, are too many, or are not told apart by its axes. */
export async function variantsConflict(
  database: Queryable,
  projectId: number,
  { id, content: { sku, variant_axes }, isTold }: NewParent,
  hold: boolean,
): Promise<Problem | undefined> {
  const waiting = await listWaiting(database, projectId, sku, structureLimits.variants + 1, hold)
  if (waiting.length === 0 && !isTold) return undefined
  const held = id === undefined ? 0 : ((await countVariants(database, projectId, [id])).get(id) ?? 0)
  if (waiting.length > 0 && waiting.length + held > structureLimits.variants) {
    const message = `is the parent that more than ${structureLimits.variants - held} products name, and a product has at most ${structureLimits.variants} variants; change their parent first`
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
  const refused = (detail: string) => new Problem('has_children', { detail })
  if (before.product_type === 'configurable') {
    const variant = await findReferrer(database, projectId, id, 'parent')
    if (variant !== undefined)
      return refused(`Product ${variant} is a variant of this one; take its variants away first.`)
  }
  if (!componentTypes.includes(type)) {
    const holder = await findReferrer(database, projectId, id, 'component')
    if (holder !== undefined)
      return refused(
        `Product ${holder} has this one as a component, which is ${componentTypes.join(' or ')}.`,
      )
  }
  return undefined
}

/** With other axes every variant needs a value of each, and no two the same. */
async function axesConflict(
  database: Queryable,
  projectId: number,
  id: number | undefined,
  coming: readonly number[],
  axes: readonly string[],
): Promise<Problem | undefined> {
  if (axes.length === 0) return undefined
  const siblings = await listSiblings(database, projectId, id, coming, axes)
  const incomplete = siblings.filter(({ is_complete }) => !is_complete).map(({ sku }) => sku)
  if (incomplete.length > 0) {
    const told = incomplete.slice(0, mostTold).join(', ')
    const message = `${incomplete.length} variants lack one value of an axis: ${told}; give them their values first`
    return new Problem('invalid_body', { errors: [{ pointer: '/variant_axes', code: 'required', message }] })
  }
  const met = new Map<string | null, string>()
  for (const { sku, hash } of siblings) {
    const other = met.get(hash)
    if (other !== undefined)
      return new Problem('duplicate_variant', {
        detail: `The variants ${other} and ${sku} would have the same values; give one of them another first.`,
      })
    met.set(hash, sku)
  }
  return undefined
}

export function refuseFaults(errors: BodyError[]): void {
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}

/** Counts those that are there, and those that come. */
export async function refuseTooManyVariants(
  database: Queryable,
  projectId: number,
  coming: readonly { content: Content }[],
): Promise<void> {
  const parents = coming.flatMap(({ content: { parent } }) => parent?.id ?? [])
  if (parents.length === 0) return
  const counts = await countVariants(database, projectId, [...new Set(parents)])
  for (const parent of parents) {
    const count = (counts.get(parent) ?? 0) + 1
    counts.set(parent, count)
    if (count > structureLimits.variants) refuseFaults([tooManyVariants])
  }
}

export const tooManyVariants = {
  pointer: '/parent',
  code: 'too_many',
  message: `has ${structureLimits.variants} variants, and takes no more`,
}

/** What every write of a product may be refused with. */
export const structureProblems = ['duplicate_variant', 'has_children', 'stock_is_computed'] as const

export function stockIsComputed(): Problem {
  return new Problem('stock_is_computed')
}
