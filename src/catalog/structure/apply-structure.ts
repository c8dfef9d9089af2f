import type { Content } from '../../model/product/product-content.ts'
import { composedTypes, findAxisErrors, findStructureErrors } from '../../model/structure/check-structure.ts'
import type { ReferenceInput } from '../../model/structure/structure.schema.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import {
  hasReferences,
  type NamedReference,
  type ProductLookup,
  referencesIn,
  type WrittenReferences,
} from './look-up-products.ts'

/** The fields of a write that affect structure. */
export type StructuralWrite = WrittenReferences & { attributes?: object; product_type?: string; sku?: string }

/** The products to look up for a write: those that it references, and the parent whose variants are compared. */
export function referencesOfWrite(
  write: StructuralWrite,
  before: Pick<Content, 'parent'> | undefined,
): NamedReference[] {
  const named = referencesIn(write)
  const isCompared =
    write.parent === undefined && write.attributes !== undefined && before?.parent?.id != null
  return isCompared ? [...named, before.parent as ReferenceInput] : named
}

/** The attributes that distinguish a variant from its siblings; undefined if its parent does not exist yet. */
function axesOf({ parent }: Content, find: ProductLookup): string[] | undefined {
  if (parent === null || parent.id === null) return undefined
  return find(parent)?.variant_axes
}

/** Checks the structure of a written product, and returns the axes if it is a variant whose values must be unique. */
export function applyStructure(
  write: StructuralWrite,
  before: Content | undefined,
  after: Content,
  find: ProductLookup,
): { axes: string[] | undefined; errors: BodyError[] } {
  if (before !== undefined && before.product_type !== after.product_type && write.components === undefined)
    rejectLeftComponents(before, after)
  const errors = findStructureErrors(after)
  const isCompared = after.parent !== null && (write.parent !== undefined || write.attributes !== undefined)
  const axes = isCompared && errors.length === 0 ? axesOf(after, find) : undefined
  return { axes, errors: axes === undefined ? errors : findAxisErrors(after, axes) }
}

/** Whether a write sets fields that other products depend on, or that depend on other products. */
export function setsStructure(
  write: StructuralWrite & { variant_axes?: string[] },
  current: Pick<Content, 'sku' | 'parent' | 'product_type' | 'variant_axes' | 'components' | 'links'>,
): boolean {
  const { sku = current.sku, product_type = current.product_type, attributes } = write
  const { parent, components, links, variant_axes } = write
  return (
    product_type !== current.product_type ||
    (product_type === 'configurable' && sku !== current.sku) ||
    (attributes !== undefined && current.parent !== null) ||
    (parent !== undefined && (parent !== null || current.parent !== null)) ||
    (variant_axes !== undefined && variant_axes.length + current.variant_axes.length > 0) ||
    (components !== undefined && components.length + current.components.length > 0) ||
    (links !== undefined && (hasReferences({ links }) || Object.keys(current.links).length > 0))
  )
}

function rejectLeftComponents({ components }: Content, { product_type: type }: Content): void {
  if (components.length === 0 || composedTypes.includes(type)) return
  throw new Problem('has_children', {
    detail: `The product has ${components.length} components, and a ${type} product has none; set components to [] as well.`,
  })
}
