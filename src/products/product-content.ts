import { isDeepStrictEqual } from 'node:util'
import { type Fault, Problem } from '../http/problems.ts'
import type { ProductRow } from './describe-product.ts'
import type { ProductDetail } from './product.schema.ts'
import type { NewProduct, ProductPatch } from './product-input.schema.ts'
import type { StockSettings } from './stock.ts'

/** What a version of a product consists of. Stock levels are left out: they change without a version. */
export type Content = Pick<
  ProductDetail,
  | 'sku'
  | 'name'
  | 'description'
  | 'short_description'
  | 'price'
  | 'status'
  | 'product_type'
  | 'attributes'
  | 'categories'
> & { inventory: StockSettings }

const mostAttributes = 200
/** What one body can bring. Patches could otherwise add up to many times that, and such a product fits into no push. */
const mostTextBytes = 1024 * 1024

export function contentOf(row: ProductRow): Content {
  const { sku, name, description, short_description, price, status, product_type, attributes, categories } =
    row
  const { tracked, low_stock_threshold, backorders } = row
  const inventory = { tracked, low_stock_threshold, backorders }
  return {
    sku,
    name,
    description,
    short_description,
    price,
    status,
    product_type,
    attributes,
    categories,
    inventory,
  }
}

/** RFC 7396: what the patch leaves out stays, attributes merge key by key, null removes one. */
export function patchContent(
  content: Content,
  patch: ProductPatch,
  categories: Content['categories'] | undefined,
): Content {
  const { attributes, categories: _references, inventory, ...plain } = patch
  const { quantity: _quantity, reserved: _reserved, ...settings } = inventory ?? {}
  const patched = {
    ...content,
    ...plain,
    attributes:
      attributes === undefined ? content.attributes : mergeAttributes(content.attributes, attributes),
    categories: categories ?? content.categories,
    inventory: { ...content.inventory, ...settings },
  }
  refuseTooLarge(content, patched)
  return patched
}

/** One that is too large already may still be changed, as long as it does not grow. */
function refuseTooLarge(before: Content, after: Content): void {
  // No character of a text takes more than six bytes as JSON.
  if (textLength(after) * 6 <= mostTextBytes) return
  const bytes = textBytes(after)
  if (bytes <= mostTextBytes || bytes <= textBytes(before)) return
  const fault: Fault = {
    pointer: '/attributes',
    code: 'too_large',
    message: `the texts and attributes of a product are at most ${mostTextBytes / 1024 / 1024} MiB together, and this makes ${bytes} bytes; shorten or remove some`,
  }
  throw new Problem('invalid_body', { errors: [fault] })
}

function textLength({ description, short_description, attributes }: Content): number {
  let length = description.length + short_description.length
  for (const [name, value] of Object.entries(attributes)) length += name.length + String(value).length
  return length
}

function textBytes({ description, short_description, attributes }: Content): number {
  return Buffer.byteLength(JSON.stringify([description, short_description, attributes]))
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
  if (count > mostAttributes) {
    const fault: Fault = {
      pointer: '/attributes',
      code: 'too_many',
      message: `a product has at most ${mostAttributes} attributes, and this makes ${count}`,
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

/** PUT: every field anew. Stock settings that the body leaves out stay, as stock itself does. */
export function replaceContent(
  content: Content,
  input: NewProduct,
  categories: Content['categories'],
): Content {
  const { inventory = {}, categories: _references, ...plain } = input
  const { quantity: _quantity, reserved: _reserved, ...settings } = inventory
  return { ...content, ...plain, categories, inventory: { ...content.inventory, ...settings } }
}

export type Differences = { before: Partial<Content>; after: Partial<Content> }

/** The changed fields before and after, or undefined when nothing changed. */
export function differences(before: Content, after: Content): Differences | undefined {
  const changed = (Object.keys(after) as (keyof Content)[]).filter(
    (field) => !isDeepStrictEqual(comparable(before, field), comparable(after, field)),
  )
  if (changed.length === 0) return undefined
  const pick = (content: Content) => Object.fromEntries(changed.map((field) => [field, content[field]]))
  return { before: pick(before), after: pick(after) }
}

/** A category is the same whatever it is called by now. */
function comparable(content: Content, field: keyof Content): unknown {
  return field === 'categories' ? content.categories.map(({ id }) => id) : content[field]
}
