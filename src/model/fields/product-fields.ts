import { type TSchema, Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { HeldNameSchema, oneLine } from '../../platform/http/request/name.schema.ts'
import { CategoryReferenceSchema } from '../categories/category-reference.ts'
import { productLimits } from '../limits/products.ts'
import {
  Components,
  ComponentsInput,
  Links,
  LinksInput,
  LinksPatch,
  Parent,
  ParentInput,
  VariantAxes,
  VariantAxesInput,
} from '../structure/structure.schema.ts'
import { Media, MediaInput } from './media.schema.ts'

/** All that the service knows of a field. A new field is an entry here, and a column in migrations/. */
export type Field = {
  /** What a body may say of it. */
  input: TSchema
  /** What a merge patch may say of it, where that is more. */
  patch?: TSchema
  /** What answers show of it. */
  output: TSchema
  /** What a new product has where its body says nothing. A field without a default is required. */
  default?: unknown
  /** The type of its column, and the name of the column where the field has another. */
  type: 'text' | 'numeric' | 'jsonb' | 'bigint[]'
  column?: string
  /** May be long: it is sent to the database only when it changes, and counts for the size of a product. It is never null. */
  isLarge: boolean
  /** Most products do not have it: a new one that has its default neither sends it nor shows it in its history. */
  isRare?: boolean
  /** A name that may be bound while a write is under way: what no write changes stays as it is, and not as it was read. */
  isBoundLater?: boolean
  /** Whether the completeness of the quality score looks at it. */
  isDescriptive: boolean
  /** How it stands in a CSV file: as text, as a number, as names, addresses, texts or components between bars, as a SKU, or as columns. */
  cell: 'text' | 'number' | 'names' | 'media' | 'texts' | 'components' | 'sku' | 'links' | 'attributes'
}

export const statuses = ['active', 'inactive', 'pending', 'archived'] as const
export const productTypes = ['simple', 'configurable', 'virtual', 'bundle', 'grouped'] as const
export const Status = OneOf(statuses)
export type Status = Type.Static<typeof Status>
export const ProductType = OneOf(productTypes)
export type ProductType = Type.Static<typeof ProductType>

type AttributeScalar = string | number | boolean
/** One value, or several. */
export type AttributeValue = AttributeScalar | AttributeScalar[]

const scalarTypes = ['string', 'number', 'boolean']
const attributeDescription = `A text, a number, true or false; or an array of 1 to ${productLimits.attributeValues} of them`
// One schema with many types: of alternatives to choose from, faults could not say which was meant.
const attributeInput = {
  type: [...scalarTypes, 'array'],
  maxLength: productLimits.attributeValueCharacters,
  minItems: 1,
  maxItems: productLimits.attributeValues,
  items: { type: scalarTypes, maxLength: productLimits.attributeValueCharacters },
  description: attributeDescription,
}
const Attributes = Type.Unsafe<Record<string, AttributeValue>>({
  type: 'object',
  maxProperties: productLimits.attributes,
  propertyNames: { type: 'string', minLength: 1, maxLength: productLimits.attributeNameCharacters },
  additionalProperties: attributeInput,
})

/** The values of an attribute, where it has one or several. */
export function valuesOf(value: AttributeValue): AttributeScalar[] {
  return Array.isArray(value) ? value : [value]
}

const smallText = { type: 'text', isLarge: false, isDescriptive: false, cell: 'text' } as const
const largeText = { type: 'text', isLarge: true, isDescriptive: true, cell: 'text' } as const

const structure = { type: 'jsonb', isRare: true, isDescriptive: false } as const

/** The fields of a product, in the order in which bodies and files show them. Stock is told apart, in stock.ts. */
export const productFields = {
  sku: {
    input: Type.String({
      minLength: 1,
      maxLength: productLimits.skuCharacters,
      'x-normalised': true,
      ...oneLine,
    }),
    output: Type.String(),
    ...smallText,
  },
  name: { input: HeldNameSchema, output: Type.String(), ...smallText },
  description: {
    input: Type.String({ maxLength: productLimits.descriptionCharacters }),
    output: Type.String(),
    default: '',
    ...largeText,
  },
  short_description: {
    input: Type.String({ maxLength: productLimits.shortDescriptionCharacters }),
    output: Type.String(),
    default: '',
    ...largeText,
  },
  price: {
    input: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 0,
      maximum: productLimits.price,
      'x-max-decimals': productLimits.priceDecimals,
      description: `Exact decimal in the project's currency, at most ${productLimits.priceDecimals} decimals`,
    }),
    output: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    default: null,
    type: 'numeric',
    isLarge: false,
    isDescriptive: true,
    cell: 'number',
  },
  status: { input: Status, output: Status, default: 'pending', ...smallText },
  product_type: { input: ProductType, output: ProductType, default: 'simple', ...smallText },
  categories: {
    input: Type.Array(CategoryReferenceSchema, {
      maxItems: productLimits.categories,
      description:
        'A name is that of the root category, or else of the only one that has it; a name or path that is new makes the category',
    }),
    output: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }, closed)),
    default: [],
    type: 'bigint[]',
    column: 'category_ids',
    isLarge: false,
    isDescriptive: true,
    cell: 'names',
  },
  attributes: {
    input: Attributes,
    patch: Type.Unsafe<Record<string, AttributeValue | null>>({
      ...Attributes,
      additionalProperties: {
        ...attributeInput,
        type: [...attributeInput.type, 'null'],
        description: `${attributeDescription}; null removes the attribute`,
      },
    }),
    output: Type.Unsafe<Record<string, AttributeValue>>({
      type: 'object',
      additionalProperties: {
        // Arrays first: the serializer of pages would take an array for something that turns itself into text.
        type: ['array', ...scalarTypes],
        items: { type: scalarTypes },
        description: attributeDescription,
      },
    }),
    default: {},
    type: 'jsonb',
    isLarge: true,
    isDescriptive: true,
    cell: 'attributes',
  },
  media: {
    input: MediaInput,
    output: Media,
    default: [],
    type: 'jsonb',
    isLarge: true,
    isRare: true,
    isDescriptive: false,
    cell: 'media',
  },
  parent: {
    input: ParentInput,
    output: Parent,
    default: null,
    isLarge: false,
    isBoundLater: true,
    cell: 'sku',
    ...structure,
  },
  variant_axes: {
    input: VariantAxesInput,
    output: VariantAxes,
    default: [],
    isLarge: false,
    cell: 'texts',
    ...structure,
  },
  components: {
    input: ComponentsInput,
    output: Components,
    default: [],
    isLarge: true,
    cell: 'components',
    ...structure,
  },
  links: {
    input: LinksInput,
    patch: LinksPatch,
    output: Links,
    default: {},
    isLarge: true,
    cell: 'links',
    ...structure,
  },
} as const satisfies Record<string, Field>

type Fields = typeof productFields
export type FieldName = keyof Fields
/** Each field as it is shown, compared and kept in the history. */
export type FieldValues = { [Name in FieldName]: Type.Static<Fields[Name]['output']> }
export type FieldInputs = { [Name in FieldName]: Type.Static<Fields[Name]['input']> }
export type FieldPatches = {
  [Name in FieldName]?: Type.Static<
    Fields[Name] extends { patch: infer Patch extends TSchema } ? Patch : Fields[Name]['input']
  >
}
