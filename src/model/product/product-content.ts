import { type InputError, Problem } from '../../platform/http/problems.ts'
import type { Field } from '../fields/field.ts'
import { splitField } from '../fields/field-paths.ts'
import type { FieldValues } from '../fields/field-schemas.ts'
import { fieldEntries, fieldNames, productFields } from '../fields/product-fields.ts'
import { lookedUpFields } from '../fields/references.ts'
import { isSameValue } from '../fields/same-value.ts'
import { readViewPath, viewKey } from '../fields/view-paths.ts'
import { productLimits } from '../limits/products.ts'
import type { NewEntries } from '../provenance/entries.ts'
import { type Reference, type ResolvedStructure, referenceKey } from '../structure/structure.schema.ts'
import {
  patchViews,
  replaceViews,
  type StoredViewValues,
  type ViewContent,
  viewContentOf,
  viewsIn,
} from '../views/view-values.ts'
import type { NewProduct, ProductPatch } from './product-input.schema.ts'
import { type StockLevels, type StockSettings, stockSettingsOf } from './stock.ts'

/** The content of a product version. Stock levels are not included, because they change without a version. */
export type Content = FieldValues & { inventory: StockSettings } & ViewContent

const largeFields = fieldNames.filter((name) => productFields[name].isLarge)

/** The defaults of a new product. SKU and name have none. */
export const defaultContent = {
  ...(Object.fromEntries(
    fieldEntries.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  ) as Omit<FieldValues, 'sku' | 'name'>),
  inventory: { tracked: false, low_stock_threshold: null, backorders: false },
}

export function contentOf(row: FieldValues & StockSettings & StoredViewValues): Content {
  const content: Record<string, unknown> = row.views || row.view_offers ? viewContentOf(row) : {}
  for (const name of fieldNames) content[name] = row[name]
  content['inventory'] = stockSettingsOf(row)
  return content as Content
}

/** The value of a field, or of a name within a group; undefined if there is none. */
export function contentValueAt(
  { content, levels }: { content: Content; levels: StockLevels },
  field: string,
): unknown {
  const path = readViewPath(field)
  if (path !== undefined) {
    const values = ownValue(content[viewKey(path.code)] ?? {}, path.field)
    return path.key === undefined ? values : ownValue((values ?? {}) as object, path.key)
  }
  const [group, name] = splitField(field)
  const values = group === 'inventory' ? { ...content.inventory, ...levels } : ownValue(content, group)
  return name === undefined ? values : ownValue(values as object, name)
}

/** An attribute can be named __proto__ or constructor. */
function ownValue(values: object, name: string): unknown {
  return Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined
}

/** The resolved references of a write. Fields that the write leaves out are undefined. */
export type ResolvedNames = ResolvedStructure & {
  categories?: Content['categories'] | undefined
  media?: Content['media'] | undefined
}

/** RFC 7396: fields that the patch leaves out do not change, keys and parts merge one by one, and null removes one. */
export function patchContent(content: Content, patch: ProductPatch, names: ResolvedNames): Content {
  const { inventory = {}, provenance: _provenance, views, ...fields } = patch
  const { quantity: _quantity, reserved: _reserved, ...settings } = inventory
  const patched = { ...content, inventory: { ...content.inventory, ...settings } }
  if (views !== undefined) Object.assign(patched, patchViews(content, views))
  // A product that is no longer configurable has no axes.
  if (fields.product_type !== undefined && fields.product_type !== 'configurable') patched.variant_axes = []
  for (const [field, value] of Object.entries(fields)) if (!isLookedUp.has(field)) put(patched, field, value)
  for (const field of lookedUpFields) {
    const value = (names as Values)[field]
    if (value !== undefined) put(patched, field, value)
  }
  rejectTooLarge(content, patched)
  return patched
}

type Values = Record<string, unknown>

/** Sets the value of a field according to how the field merges. */
function put(content: Partial<Content>, field: string, value: unknown): void {
  const values = content as Values
  const merge = merges.get(field)
  values[field] = merge === undefined ? value : merge(values[field], value)
}

/** A product that is already too large can change as long as it does not grow. */
function rejectTooLarge(before: Content, after: Content): void {
  // A character takes at most six bytes as JSON.
  if (contentLength(after) * 6 <= productLimits.textBytes) return
  const bytes = contentBytes(after)
  if (bytes <= productLimits.textBytes || bytes <= contentBytes(before)) return
  const largest = largestView(before, after)
  const place = largest === undefined ? '' : `; the view ${largest} grew most`
  const error: InputError = {
    pointer: largest === undefined ? '/attributes' : `/views/${largest}`,
    code: 'too_large',
    message: `the descriptions, attributes and media of a product can have at most ${productLimits.textBytes / 1024 / 1024} MiB in total; these have ${bytes} bytes${place}. Shorten or remove some`,
  }
  throw new Problem('invalid_body', { errors: [error] })
}

/** The view whose values a write made longer, if the base did not grow. */
function largestView(before: Content, after: Content): string | undefined {
  if (ownBytes(after) > ownBytes(before)) return undefined
  const growth = [...viewsIn(after)].map(([code, values]): [string, number] => [
    code,
    lengthOf(values) - lengthOf(before[viewKey(code)] ?? {}),
  ])
  return growth.toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** The number of characters in the large fields. */
export function contentLength(content: FieldValues): number {
  const own = largeFields.reduce((sum, name) => sum + lengthOf(content[name]), 0)
  return [...viewsIn(content)].reduce((sum, [, values]) => sum + lengthOf(values), own)
}

function lengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return String(value).length
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + lengthOf(one), 0)
}

function contentBytes(content: FieldValues): number {
  const views = [...viewsIn(content)]
  return ownBytes(content) + (views.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(views)))
}

function ownBytes(content: FieldValues): number {
  return Buffer.byteLength(JSON.stringify(largeFields.map((name) => content[name])))
}

/** If the field has no keys yet, returns the patch itself. No code changes it in place. */
function mergeKeys(held: object, given: object): object {
  const before = Object.entries(held)
  const added = Object.entries(given)
  if (before.length === 0 && !added.some(([, value]) => isRemoval(value))) return given
  const merged = new Map(before)
  for (const [name, value] of added) {
    if (isRemoval(value)) merged.delete(name)
    else merged.set(name, value)
  }
  // From entries, because an attribute can be named __proto__.
  return Object.fromEntries(merged)
}

/** An empty list removes the key, as null does. */
function isRemoval(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function rejectTooMany(field: string, count: number, most: number): void {
  if (count <= most) return
  const error: InputError = {
    pointer: `/${field}`,
    code: 'too_many',
    message: `a product can have at most ${most} ${field}; this one would have ${count}`,
  }
  throw new Problem('invalid_body', { errors: [error] })
}

/** A reference to the same product stays as stored, even with its old SKU, because nothing changed. */
function sameProduct(held: Reference | null, given: Reference | null): Reference | null {
  return held !== null && given !== null && referenceKey(held) === referenceKey(given) ? held : given
}

type Merge = (held: unknown, given: unknown) => unknown

function mergeOf(name: string, { kind, merges, maxKeys }: Field): Merge | undefined {
  if (kind === 'product') return sameProduct as Merge
  if (merges === 'whole') return undefined
  if (maxKeys === undefined) return mergeKeys as Merge
  return (held, given) => {
    const merged = mergeKeys(held as object, given as object)
    rejectTooMany(name, Object.keys(merged).length, maxKeys)
    return merged
  }
}

/** How a field combines a new value with its old one, if it does not replace it. */
const merges: ReadonlyMap<string, Merge> = new Map(
  fieldEntries.flatMap(([name, field]) => {
    const merge = mergeOf(name, field)
    return merge === undefined ? [] : [[name, merge]]
  }),
)
const isLookedUp = new Set<string>(lookedUpFields)

/** PUT: replaces every field. Views and stock settings that the body leaves out do not change. */
export function replaceContent(content: Content, input: NewProduct, names: ResolvedNames): Content {
  const { inventory = {}, views } = input
  const { quantity: _quantity, reserved: _reserved, ...settings } = inventory
  const replaced = newFields({ ...input, views: undefined }, names)
  const parent = sameProduct(content.parent, replaced.parent)
  return {
    ...replaced,
    parent,
    inventory: { ...content.inventory, ...settings },
    ...Object.fromEntries(Object.entries(content).filter(([field]) => field.startsWith('views.'))),
    ...(views && replaceViews(content, views)),
  }
}

/** The fields of a complete body. */
export function newFields(input: NewProduct, names: ResolvedNames): FieldValues & ViewContent {
  const { inventory: _inventory, provenance: _provenance, views, ...fields } = input
  const content = fields as Values
  if (views !== undefined) Object.assign(content, patchViews({}, views))
  for (const field of lookedUpFields) {
    content[field] = defaultContent[field]
    const value = (names as Values)[field]
    if (value !== undefined) put(content as Partial<Content>, field, value)
  }
  return content as FieldValues & ViewContent
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
    (field) => !isSameValue(field, before[field] ?? null, after[field] ?? null),
  )
  if (changed.length === 0) return undefined
  // A view that had no values is null, so that the history knows it.
  const pick = (content: Content) =>
    Object.fromEntries(changed.map((field) => [field, content[field] ?? null])) as Partial<Content>
  return { before: pick(before), after: pick(after) }
}
