import { type TSchema, Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { oneLine } from '../../platform/http/request/name.schema.ts'
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
import { Attributes, AttributesInput, AttributesPatch } from './attributes.schema.ts'
import type { Field, Kind } from './field.ts'
import { Media, MediaInput } from './media.schema.ts'
import { type FieldName, fieldEntries, type productFields, productTypes, statuses } from './product-fields.ts'

export const StatusSchema = OneOf(statuses)
export const ProductTypeSchema = OneOf(productTypes)

/** The schemas of a field in bodies, in merge patches (if they allow more), and in responses. */
type Schemas = { input: TSchema; patch?: TSchema; output: TSchema }

const price = Type.Unsafe<number | null>({ type: ['number', 'null'] })

const ofKind = {
  price: {
    input: Type.Unsafe<number | null>({
      ...price,
      minimum: 0,
      maximum: productLimits.price,
      'x-max-decimals': productLimits.priceDecimals,
      description: `Exact decimal in the project's currency, at most ${productLimits.priceDecimals} decimal places`,
    }),
    output: price,
  },
  categories: {
    input: Type.Array(CategoryReferenceSchema, {
      maxItems: productLimits.categories,
      description:
        'A name refers to the root category that has it, or otherwise to the only category that has it. A name or path that does not exist creates the category',
    }),
    output: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }, closed)),
  },
  attributes: { input: AttributesInput, patch: AttributesPatch, output: Attributes },
  media: { input: MediaInput, output: Media },
  product: { input: ParentInput, output: Parent },
  names: { input: VariantAxesInput, output: VariantAxes },
  components: { input: ComponentsInput, output: Components },
  links: { input: LinksInput, patch: LinksPatch, output: Links },
} satisfies Partial<Record<Kind, Schemas>>

/** Required texts are trimmed and composed before they are measured. */
function textSchemas({ longest = 0, description, default: value }: Field): Schemas {
  const about = description === undefined ? {} : { description }
  const required = { minLength: 1, maxLength: longest, 'x-normalised': true, ...oneLine }
  return {
    input: Type.String({ ...(value === undefined ? required : { maxLength: longest }), ...about }),
    output: Type.String(about),
  }
}

function schemasOf(field: Field): Schemas {
  const { kind, choices = [] } = field
  if (kind === 'code' || kind === 'text') return textSchemas(field)
  return kind === 'choice' ? { input: OneOf([...choices]), output: OneOf([...choices]) } : ofKind[kind]
}

export const fieldSchemas = Object.fromEntries(
  fieldEntries.map(([name, field]) => [name, schemasOf(field)]),
) as Readonly<Record<FieldName, Schemas>>

type Fields = typeof productFields
type OfKind = typeof ofKind
type Value<Name extends FieldName, Use extends 'input' | 'output'> = Fields[Name] extends {
  choices: readonly (infer Choice)[]
}
  ? Choice
  : Fields[Name]['kind'] extends keyof OfKind
    ? Type.Static<OfKind[Fields[Name]['kind']][Use]>
    : string
type Patch<Name extends FieldName> = Fields[Name]['kind'] extends keyof OfKind
  ? OfKind[Fields[Name]['kind']] extends { patch: infer Schema extends TSchema }
    ? Type.Static<Schema>
    : Value<Name, 'input'>
  : Value<Name, 'input'>

/** Each field as it is shown, compared and stored in the history. */
export type FieldValues = { [Name in FieldName]: Value<Name, 'output'> }
export type FieldInputs = { [Name in FieldName]: Value<Name, 'input'> }
export type FieldPatches = { [Name in FieldName]?: Patch<Name> }
