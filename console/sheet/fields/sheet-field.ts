import { fieldLabel, splitField } from '../../../src/model/fields/field-paths.ts'
import { type FieldOf, fieldOf } from '../../../src/model/fields/product-fields.ts'
import { productLimits } from '../../../src/model/limits/products.ts'
import { priceText } from '../../parts/format/price-text.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import type { AttributeDefinition, ProductDetail } from '../../wire.ts'
import { strings } from '../strings.ts'
import { attributeCodec } from './attribute-codecs.ts'
import { type Codec, isEmpty } from './codec.ts'
import { type Choice, codecOf, numberCodec } from './field-codecs.ts'

/** A field of products as a column: how its values are read from a product, shown, and edited. */
export type SheetField = {
  /** The path in the API, such as `price`, `attributes.color` or `inventory.quantity`. */
  field: string
  label: string
  codec: Codec
  isRequired: boolean
  currentOf: (product: ProductDetail) => unknown
  /** Why the value of this product cannot be edited here. */
  whyReadOnly: (product: ProductDetail) => string | undefined
  /** The text of an empty cell. */
  placeholder: (product: ProductDetail) => string
}

export type FieldSources = {
  definitions: ReadonlyMap<string, AttributeDefinition>
  choices: Record<FieldOf<'choice'>, Choice[]>
  currency: string
  /** Their values determine the type of attributes without a definition. */
  products: readonly ProductDetail[]
}

export const stockField = 'inventory.quantity'

/** The editable field at a path. Undefined if its values are not edited in cells. */
export function editableField(path: string, sources: FieldSources): SheetField | undefined {
  if (path === stockField) return stockQuantity
  const [group, name] = splitField(path)
  const entry = fieldOf(group)
  if (entry?.kind === 'attributes' && name !== undefined) return attributeField(path, name, sources)
  const codec =
    entry &&
    codecOf(entry, ownValue<Choice[]>(sources.choices, path) ?? [], (price) =>
      priceText(price, sources.currency),
    )
  if (codec === undefined) return undefined
  return {
    field: path,
    label: fieldLabel(path),
    codec,
    isRequired: entry?.default === undefined || entry.kind === 'choice',
    currentOf: (product) => product[path as keyof ProductDetail],
    whyReadOnly: () => undefined,
    placeholder: (product) => (path === 'price' ? priceHint(product, codec) : inheritedHint(path, product)),
  }
}

function attributeField(path: string, name: string, { definitions, products }: FieldSources): SheetField {
  const definition = definitions.get(name)
  const currentOf = ({ attributes }: ProductDetail) => ownValue(attributes, name) ?? null
  return {
    field: path,
    label: definition?.label ?? name,
    codec: attributeCodec(definition, definition === undefined ? products.map(currentOf) : []),
    isRequired: false,
    currentOf,
    whyReadOnly: () => undefined,
    placeholder: (product) => inheritedHint(path, product),
  }
}

const stockQuantity: SheetField = {
  field: stockField,
  label: fieldLabel(stockField),
  codec: numberCodec({
    least: -productLimits.stock,
    most: productLimits.stock,
    decimals: 0,
    required: fieldLabel(stockField),
  }),
  isRequired: true,
  currentOf: ({ inventory }) => (inventory?.tracked === true ? inventory.quantity : null),
  whyReadOnly: ({ inventory }) => {
    if (inventory?.computed === true) return strings.readOnly.stock
    return inventory?.tracked === true ? undefined : strings.readOnly.untracked
  },
  placeholder: ({ inventory }) => (inventory?.tracked === false ? '∞' : ''),
}

/** A value that only the product page or the service changes, as text. */
export function readOnlyField(
  field: string,
  label: string,
  why: string,
  text: (product: ProductDetail) => string,
  isNumber = false,
): SheetField {
  const codec: Codec = {
    editor: 'text',
    isNumber,
    text: (value) => String(value ?? ''),
    shown: (value) => String(value ?? ''),
    read: () => ({ error: why }),
  }
  return {
    field,
    label,
    codec,
    isRequired: false,
    currentOf: text,
    whyReadOnly: () => why,
    placeholder: () => '',
  }
}

/** An empty value of a variant is that of its parent. */
function inheritedHint(path: string, { parent }: ProductDetail): string {
  const isInherited = parent !== null && fieldOf(splitField(path)[0])?.isInherited === true
  return isInherited ? strings.values.fromParent : ''
}

function priceHint(product: ProductDetail, codec: Codec): string {
  const least = product.variants?.price.min ?? null
  return least === null ? inheritedHint('price', product) : strings.values.from(codec.shown(least))
}

/** The text of a cell without an edit. */
export function shownText({ codec, placeholder }: SheetField, product: ProductDetail, value: unknown) {
  return isEmpty(value)
    ? { text: placeholder(product), isHint: true }
    : { text: codec.shown(value), isHint: false }
}
