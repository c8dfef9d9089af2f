import { productLimits } from '../limits/products.ts'
import type { LinkKind } from '../structure/link-kinds.ts'

/* Without Node and schemas, because the console includes this table. */

/** The operations of edits, in the order in which messages list them. */
export const operations = [
  'set',
  'clear',
  'append',
  'prepend',
  'replace',
  'rename',
  'multiply',
  'add',
  'add_categories',
  'remove_categories',
] as const
export type Operation = (typeof operations)[number]

/** What a value consists of. Schemas, cells of files, and controls of the console follow from it. */
export type Kind =
  | 'code'
  | 'text'
  | 'price'
  | 'choice'
  | 'categories'
  | 'attributes'
  | 'media'
  | 'product'
  | 'names'
  | 'components'
  | 'links'

/** All that the service and the console know about a field. A new field is an entry here, and a column in migrations/. */
export type Field = {
  /** The name that people read; the API uses the key of the entry. */
  label: string
  kind: Kind
  /** For texts: the size of the control, and the maximum number of characters. */
  size?: 'line' | 'paragraph' | 'document'
  longest?: number
  /** For choices. */
  choices?: readonly string[]
  /** Description in the OpenAPI document, in addition to that of the kind. */
  description?: string
  /** What a new product has where its body says nothing. A field without a default is required. */
  default?: unknown
  /**
   * What a patch that names the field does, and how changes and edits name it: it replaces the value (`price`), it merges keys that
   * clients choose (`attributes.color`), or it merges the parts that the field has (`links.related`).
   */
  merges: 'whole' | 'by_key' | 'by_path'
  mostKeys?: number
  /** The parts of a field that merges by path, with their labels. */
  parts?: Readonly<Record<string, string>>
  /** Natural language. If a write does not say which fields a prompt wrote, the prompt wrote these. */
  isText: boolean
  /** What the value refers to. A write looks it up. Values that refer to the same objects are equal. */
  references?: 'categories' | 'products'
  /** Whether a variant without a value has the value of its parent. */
  isInherited: boolean
  /** The edits that it takes, or that each of its keys or parts takes. */
  edits: readonly Operation[]
  /** Whether the completeness of the quality score looks at it. */
  isDescriptive: boolean
  /** The type of its column, and the name of the column where the field has another. */
  type: 'text' | 'numeric' | 'jsonb' | 'bigint[]'
  column?: string
  /** May be long: it is sent to the database only when it changes, and counts for the size of a product. It is never null. */
  isLarge: boolean
  /** Most products do not have it: a new one that has its default neither sends it nor shows it in its history. */
  isRare?: boolean
  /** A name that may be bound while a write is under way: what no write changes stays as it is, and not as it was read. */
  isBoundLater?: boolean
}

export const statuses = ['active', 'inactive', 'pending', 'archived'] as const
export type Status = (typeof statuses)[number]
export const productTypes = ['simple', 'configurable', 'virtual', 'bundle', 'grouped'] as const
export type ProductType = (typeof productTypes)[number]

const ofText = ['append', 'prepend', 'replace'] as const

const line = {
  kind: 'text',
  size: 'line',
  merges: 'whole',
  isText: true,
  isInherited: true,
  edits: ['set', 'clear', ...ofText],
  isDescriptive: false,
  type: 'text',
  isLarge: false,
} as const
const longText = { ...line, isDescriptive: true, isLarge: true } as const
const choice = {
  kind: 'choice',
  merges: 'whole',
  isText: false,
  isInherited: false,
  edits: ['set', 'clear'],
  isDescriptive: false,
  type: 'text',
  isLarge: false,
} as const
const structure = {
  merges: 'whole',
  isText: false,
  isInherited: false,
  edits: ['set', 'clear'],
  isDescriptive: false,
  type: 'jsonb',
  isRare: true,
} as const

/** The fields of a product, in the order in which bodies and files show them. Stock is separate, below. */
export const productFields = {
  sku: {
    ...line,
    label: 'SKU',
    kind: 'code',
    longest: productLimits.skuCharacters,
    isText: false,
    isInherited: false,
    // One SKU for many products would be a duplicate from the second product on.
    edits: ofText,
  },
  name: { ...line, label: 'Name', longest: 255, isInherited: false, edits: ['set', ...ofText] },
  description: {
    ...longText,
    label: 'Description',
    size: 'document',
    longest: productLimits.descriptionCharacters,
    default: '',
  },
  short_description: {
    ...longText,
    label: 'Short description',
    size: 'paragraph',
    longest: productLimits.shortDescriptionCharacters,
    default: '',
  },
  price: {
    label: 'Price',
    kind: 'price',
    default: null,
    merges: 'whole',
    isText: false,
    isInherited: true,
    edits: ['set', 'clear', 'multiply', 'add'],
    isDescriptive: true,
    type: 'numeric',
    isLarge: false,
  },
  status: { ...choice, label: 'Status', choices: statuses, default: 'pending' },
  product_type: { ...choice, label: 'Type', choices: productTypes, default: 'simple' },
  categories: {
    label: 'Categories',
    kind: 'categories',
    default: [],
    merges: 'whole',
    isText: false,
    references: 'categories',
    isInherited: true,
    edits: ['set', 'clear', 'add_categories', 'remove_categories'],
    isDescriptive: true,
    type: 'bigint[]',
    column: 'category_ids',
    isLarge: false,
  },
  attributes: {
    label: 'Attributes',
    kind: 'attributes',
    default: {},
    merges: 'by_key',
    mostKeys: productLimits.attributes,
    isText: true,
    isInherited: true,
    edits: ['set', 'clear', ...ofText, 'rename'],
    isDescriptive: true,
    type: 'jsonb',
    isLarge: true,
  },
  media: {
    label: 'Media',
    kind: 'media',
    default: [],
    merges: 'whole',
    isText: false,
    isInherited: true,
    edits: ['set', 'clear'],
    isDescriptive: false,
    type: 'jsonb',
    isLarge: true,
    isRare: true,
  },
  parent: {
    ...structure,
    label: 'Parent',
    kind: 'product',
    default: null,
    references: 'products',
    isLarge: false,
    isBoundLater: true,
  },
  variant_axes: { ...structure, label: 'Variant axes', kind: 'names', default: [], isLarge: false },
  components: {
    ...structure,
    label: 'Components',
    kind: 'components',
    default: [],
    references: 'products',
    isLarge: true,
  },
  links: {
    ...structure,
    label: 'Links',
    kind: 'links',
    default: {},
    merges: 'by_path',
    parts: {
      related: 'Related products',
      upsell: 'Upsell',
      cross_sell: 'Cross-sell',
    } satisfies Record<LinkKind, string>,
    references: 'products',
    isLarge: true,
  },
} as const satisfies Record<string, Field>

type Fields = typeof productFields
export type FieldName = keyof Fields
/** The fields of some kinds. */
export type FieldOf<Wanted extends Kind> = {
  [Name in FieldName]: Fields[Name]['kind'] extends Wanted ? Name : never
}[FieldName]

export const fieldNames = Object.keys(productFields) as FieldName[]
export const fieldEntries: readonly [FieldName, Field][] = fieldNames.map((name) => [
  name,
  productFields[name],
])

/** The entry of a field. Undefined if products have no such field. */
export function fieldOf(name: string): Field | undefined {
  return Object.hasOwn(productFields, name) ? productFields[name as FieldName] : undefined
}

export function fieldsOfKind<Wanted extends Kind>(...kinds: Wanted[]): FieldOf<Wanted>[] {
  return fieldNames.filter((name): name is FieldOf<Wanted> =>
    (kinds as Kind[]).includes(productFields[name].kind),
  )
}

type Size = NonNullable<Field['size']>

/** Texts, from those of one line to the longest. */
export function textsOfSize(...sizes: Size[]): FieldOf<'text'>[] {
  const texts = fieldsOfKind('text')
  return sizes.flatMap((size) => texts.filter((name) => productFields[name].size === size))
}

/** Whether every product has a value in the field that is not empty. */
export function isRequired(name: string): boolean {
  return fieldOf(name)?.default === undefined
}

/** Parts of the stock, in the order in which files show them. Settings are part of each version of a product, levels are not. */
export type StockField = {
  label: string
  kind: 'count' | 'switch'
  isLevel: boolean
  edits: readonly Operation[]
}

export const stockFields = {
  tracked: { label: 'Track stock', kind: 'switch', isLevel: false, edits: ['set'] },
  quantity: { label: 'Quantity', kind: 'count', isLevel: true, edits: ['set'] },
  reserved: { label: 'Reserved', kind: 'count', isLevel: true, edits: ['set'] },
  low_stock_threshold: {
    label: 'Low-stock threshold',
    kind: 'count',
    isLevel: false,
    edits: ['set', 'clear'],
  },
  backorders: { label: 'Backorders', kind: 'switch', isLevel: false, edits: ['set'] },
} as const satisfies Record<string, StockField>

export function stockFieldsOfKind(kind: StockField['kind']): string[] {
  return Object.entries(stockFields).flatMap(([name, field]) =>
    field.kind === kind ? [`inventory.${name}`] : [],
  )
}
