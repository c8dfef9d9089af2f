import { type Fault, Problem } from '../../platform/http/problems.ts'
import { type Field, type FieldName, type FieldValues, productFields } from '../fields/product-fields.ts'
import { isSameValue } from '../fields/same-value.ts'
import { productLimits } from '../limits/products.ts'
import type { NewEntries } from '../provenance/entries.ts'
import { keyOf, type Links, type ResolvedStructure } from '../structure/structure.schema.ts'
import type { NewProduct, ProductPatch } from './product-input.schema.ts'
import { type StockSettings, settingsOf } from './stock.ts'

/** What a version of a product consists of. Stock levels are left out: they change without a version. */
export type Content = FieldValues & { inventory: StockSettings }

const fieldNames = Object.keys(productFields) as FieldName[]
const largeFields = fieldNames.filter((name) => productFields[name].isLarge)

/** What a new product has, but for its SKU and name, when nothing else is said. */
export const defaultContent = {
  ...(Object.fromEntries(
    Object.entries<Field>(productFields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  ) as Omit<FieldValues, 'sku' | 'name'>),
  inventory: { tracked: false, low_stock_threshold: null, backorders: false },
}

export function contentOf(row: FieldValues & StockSettings): Content {
  const content: Record<string, unknown> = {}
  for (const name of fieldNames) content[name] = row[name]
  content['inventory'] = settingsOf(row)
  return content as Content
}

/** What a write names, looked up; what it does not speak of is left out. */
export type ResolvedNames = ResolvedStructure & { categories?: Content['categories'] | undefined }

/** RFC 7396: what the patch leaves out stays, attributes merge key by key, null removes one. */
export function patchContent(
  content: Content,
  patch: ProductPatch,
  { categories, parent, components, links }: ResolvedNames,
): Content {
  const { attributes, inventory, provenance: _told, ...others } = patch
  const { categories: _c, parent: _p, components: _co, links: _l, ...plain } = others
  const { quantity: _quantity, reserved: _reserved, ...settings } = inventory ?? {}
  // A product that is configurable no more has no axes.
  const isLeft = plain.product_type !== undefined && plain.product_type !== 'configurable'
  const patched = {
    ...content,
    ...(isLeft && { variant_axes: [] }),
    ...plain,
    attributes:
      attributes === undefined ? content.attributes : mergeAttributes(content.attributes, attributes),
    categories: categories ?? content.categories,
    parent: parent === undefined ? content.parent : sameParent(content, parent),
    components: components ?? content.components,
    links: links === undefined ? content.links : mergeLinks(content.links, links),
    inventory: { ...content.inventory, ...settings },
  }
  refuseTooLarge(content, patched)
  return patched
}

/** One that is too large already may still be changed, as long as it does not grow. */
function refuseTooLarge(before: Content, after: Content): void {
  // No character of a text takes more than six bytes as JSON.
  if (textLength(after) * 6 <= productLimits.textBytes) return
  const bytes = textBytes(after)
  if (bytes <= productLimits.textBytes || bytes <= textBytes(before)) return
  const fault: Fault = {
    pointer: '/attributes',
    code: 'too_large',
    message: `the texts, attributes and media of a product are at most ${productLimits.textBytes / 1024 / 1024} MiB together, and this makes ${bytes} bytes; shorten or remove some`,
  }
  throw new Problem('invalid_body', { errors: [fault] })
}

/** How many characters the large fields have. */
export function textLength(content: FieldValues): number {
  return largeFields.reduce((sum, name) => sum + lengthOf(content[name]), 0)
}

function lengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return String(value).length
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + lengthOf(one), 0)
}

function textBytes(content: FieldValues): number {
  return Buffer.byteLength(JSON.stringify(largeFields.map((name) => content[name])))
}

/** A product without attributes takes those of the patch as they are; nobody changes them in place. */
function mergeAttributes(
  current: Content['attributes'],
  patch: NonNullable<ProductPatch['attributes']>,
): Content['attributes'] {
  const held = Object.entries(current)
  const given = Object.entries(patch)
  const isPlain = held.length === 0 && given.every(([, value]) => value !== null)
  const merged = isPlain ? (patch as Content['attributes']) : mergeEntries(held, given)
  const count = Object.keys(merged).length
  if (count > productLimits.attributes) {
    const fault: Fault = {
      pointer: '/attributes',
      code: 'too_many',
      message: `a product has at most ${productLimits.attributes} attributes, and this makes ${count}`,
    }
    throw new Problem('invalid_body', { errors: [fault] })
  }
  return merged
}

/** Entries instead of assignment: an attribute may be called __proto__. */
function mergeEntries<Value>(
  held: [string, Value][],
  given: [string, Value | null][],
): Record<string, Value> {
  const merged = new Map(held)
  for (const [name, value] of given) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

/** A kind without links is left out. */
function mergeLinks(held: Links, given: NonNullable<ResolvedStructure['links']>): Links {
  const merged = Object.entries({ ...held, ...given })
  return Object.fromEntries(merged.filter(([, list]) => list !== null && list.length > 0))
}

/** PUT: every field anew. Stock settings that the body leaves out stay, as stock itself does. */
export function replaceContent(content: Content, input: NewProduct, names: ResolvedNames): Content {
  const { inventory = {} } = input
  const { quantity: _quantity, reserved: _reserved, ...settings } = inventory
  const fields = newFields(input, names)
  const parent = sameParent(content, fields.parent)
  return { ...fields, parent, inventory: { ...content.inventory, ...settings } }
}

/** The parent that a product has already stays as it is stored, under its old SKU too: nothing of it has changed. */
function sameParent({ parent: held }: Content, parent: Content['parent']): Content['parent'] {
  return held !== null && parent !== null && keyOf(held) === keyOf(parent) ? held : parent
}

/** The fields of a body that says all of them. */
export function newFields(
  input: NewProduct,
  { categories = [], parent = null, components = [], links = {} }: ResolvedNames,
): FieldValues {
  const { inventory: _inventory, provenance: _told, ...plain } = input
  return { ...plain, categories, parent, components, links: mergeLinks({}, links) }
}

/** The changed fields on both sides, and those of them that a prompt wrote. */
export type Differences = {
  before: Partial<Content>
  after: Partial<Content>
  provenance?: NewEntries | undefined
}

/** The changed fields before and after, or undefined when nothing changed. */
export function differences(before: Content, after: Content): Differences | undefined {
  const changed = (Object.keys(after) as (keyof Content)[]).filter(
    (field) => !isSameValue(field, before[field], after[field]),
  )
  if (changed.length === 0) return undefined
  const pick = (content: Content) => Object.fromEntries(changed.map((field) => [field, content[field]]))
  return { before: pick(before), after: pick(after) }
}
