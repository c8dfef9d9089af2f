import { productLimits } from '../limits/products.ts'
import type { LinkKind } from '../structure/link-kinds.ts'
import type { Field, Kind } from './field.ts'

/* No Node APIs and no schemas, because the console bundles this table. */

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
const longText = { ...line, viewColumn: 'views', isDescriptive: true, isLarge: true } as const
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
  name: {
    ...line,
    label: 'Name',
    longest: 255,
    isInherited: false,
    viewColumn: 'views',
    edits: ['set', ...ofText],
  },
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
    viewColumn: 'view_offers',
    isInherited: true,
    edits: ['set', 'clear', 'multiply', 'add'],
    isDescriptive: true,
    type: 'numeric',
    isLarge: false,
  },
  status: { ...choice, label: 'Status', choices: statuses, viewColumn: 'view_offers', default: 'pending' },
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
    maxKeys: productLimits.attributes,
    isText: true,
    viewColumn: 'views',
    isInherited: true,
    edits: ['set', 'clear', ...ofText, 'rename', 'multiply', 'add'],
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
    references: 'assets',
    viewColumn: 'views',
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
export type FieldOf<Wanted extends Kind> = {
  [Name in FieldName]: Fields[Name]['kind'] extends Wanted ? Name : never
}[FieldName]

export const fieldNames = Object.keys(productFields) as FieldName[]
export const fieldEntries: readonly [FieldName, Field][] = fieldNames.map((name) => [
  name,
  productFields[name],
])

export function fieldOf(name: string): Field | undefined {
  return Object.hasOwn(productFields, name) ? productFields[name as FieldName] : undefined
}

export function fieldsOfKind<Wanted extends Kind>(...kinds: Wanted[]): FieldOf<Wanted>[] {
  return fieldNames.filter((name): name is FieldOf<Wanted> =>
    (kinds as Kind[]).includes(productFields[name].kind),
  )
}

type Size = NonNullable<Field['size']>

/** Text fields, in the order of the given sizes. */
export function textsOfSize(...sizes: Size[]): FieldOf<'text'>[] {
  const texts = fieldsOfKind('text')
  return sizes.flatMap((size) => texts.filter((name) => productFields[name].size === size))
}

/** Whether every product has a value in the field that is not empty. */
export function isRequired(name: string): boolean {
  return fieldOf(name)?.default === undefined
}
