import type { Content } from '../../model/product/product-content.ts'
import { composedTypes, findAxisErrors, findStructureErrors } from '../../model/structure/check-structure.ts'
import type { ReferenceInput } from '../../model/structure/structure.schema.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import {
  type NamedOthers,
  type NamedReference,
  namesOthers,
  type ProductLookup,
  referencesIn,
} from './look-up-products.ts'

/** What a write says that structure depends on. */
export type StructuralWrite = NamedOthers & { attributes?: object; product_type?: string; sku?: string }

/** The products to look up for a write: those that it names, and the parent that the values of a variant are compared within. */
export function referencesOfWrite(
  write: StructuralWrite,
  before: Pick<Content, 'parent'> | undefined,
): NamedReference[] {
  const named = referencesIn(write)
  const isCompared =
    write.parent === undefined && write.attributes !== undefined && before?.parent?.id != null
  return isCompared ? [...named, before.parent as ReferenceInput] : named
}

/** The attributes that tell a variant apart from its siblings; undefined where it has no parent yet. */
function axesOf({ parent }: Content, find: ProductLookup): string[] | undefined {
  if (parent === null || parent.id === null) return undefined
  return find(parent)?.variant_axes
}

/** Checks what a write makes of a product, and tells the axes that it is told apart by, where it is a variant. */
export function applyStructure(
  write: StructuralWrite,
  before: Content | undefined,
  after: Content,
  find: ProductLookup,
): { axes: string[] | undefined; faults: BodyError[] } {
  if (before !== undefined && before.product_type !== after.product_type && write.components === undefined)
    refuseLeftComponents(before, after)
  const faults = findStructureErrors(after)
  const isCompared = after.parent !== null && (write.parent !== undefined || write.attributes !== undefined)
  const axes = isCompared && faults.length === 0 ? axesOf(after, find) : undefined
  return { axes, faults: axes === undefined ? faults : findAxisErrors(after, axes) }
}

/** Whether a write speaks of what others depend on, or that depends on others. */
export function touchesStructure(
  write: StructuralWrite & { variant_axes?: string[] },
  held: Pick<Content, 'sku' | 'parent' | 'product_type' | 'variant_axes' | 'components' | 'links'>,
): boolean {
  const { sku = held.sku, product_type = held.product_type, attributes } = write
  const { parent, components, links, variant_axes } = write
  return (
    product_type !== held.product_type ||
    (product_type === 'configurable' && sku !== held.sku) ||
    (attributes !== undefined && held.parent !== null) ||
    (parent !== undefined && (parent !== null || held.parent !== null)) ||
    (variant_axes !== undefined && variant_axes.length + held.variant_axes.length > 0) ||
    (components !== undefined && components.length + held.components.length > 0) ||
    (links !== undefined && (namesOthers({ links }) || Object.keys(held.links).length > 0))
  )
}

function refuseLeftComponents({ components }: Content, { product_type: type }: Content): void {
  if (components.length === 0 || composedTypes.includes(type)) return
  throw new Problem('has_children', {
    detail: `The product has ${components.length} components, and one that is ${type} has none; make them [] too.`,
  })
}
