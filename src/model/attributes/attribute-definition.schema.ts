import { type TSchema, Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { plainName, withoutDirectionControls } from '../../platform/http/request/name.schema.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { ProductTypeSchema } from '../fields/field-schemas.ts'
import { type ProductType, productTypes } from '../fields/product-fields.ts'
import { attributeLimits } from '../limits/attributes.ts'
import { productLimits } from '../limits/products.ts'
import { definition, definitionBody } from './attribute-definition.examples.ts'

const attributeTypes = ['text', 'number', 'boolean', 'date', 'choice', 'url'] as const
export type AttributeType = (typeof attributeTypes)[number]
const modes = ['off', 'warn', 'enforce'] as const

type RequiredFor = { product_types: ProductType[]; categories: number[] }

/** The definition of one attribute in a project. */
export type AttributeDefinition = {
  name: string
  label: string | null
  group: string | null
  position: number
  type: AttributeType
  unit: string | null
  multiple: boolean
  allowed: string[] | null
  pattern: string | null
  min: number | string | null
  max: number | string | null
  max_length: number | null
  required_for: RequiredFor | null
  mode: (typeof modes)[number]
  description: string
}

function optionalText(maxLength: number, description: string) {
  return { type: ['string', 'null'], minLength: 1, maxLength, default: null, description }
}

function optionalName(maxLength: number, description: string) {
  return {
    ...optionalText(maxLength, `${plainName.description}: ${description}`),
    pattern: plainName.pattern,
  }
}

const requiredFor = {
  product_types: {
    type: 'array',
    items: ProductTypeSchema,
    maxItems: productTypes.length,
    uniqueItems: true,
    description: 'Product types; an empty list means any type',
  },
  categories: {
    type: 'array',
    items: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    maxItems: attributeLimits.requiredCategories,
    uniqueItems: true,
    description:
      'Category IDs. The product must be directly in one of them; an empty list means any category',
  },
}

/** The optional fields of a definition, with their defaults. */
const fields: Record<Exclude<keyof AttributeDefinition, 'name' | 'type'>, object> = {
  label: optionalName(attributeLimits.labelCharacters, 'the label to show instead of the name'),
  group: optionalName(attributeLimits.labelCharacters, 'the group to show the attribute in'),
  position: Type.Integer({
    minimum: 0,
    maximum: attributeLimits.position,
    default: 0,
    description: 'Position in the list',
  }),
  unit: optionalName(attributeLimits.unitCharacters, 'the unit of the values, such as cm'),
  multiple: Type.Boolean({ default: false, description: 'true: the value can be a list' }),
  allowed: {
    type: ['array', 'null'],
    items: Type.String({ minLength: 1, maxLength: attributeLimits.choiceCharacters }),
    minItems: 1,
    maxItems: attributeLimits.choices,
    uniqueItems: true,
    default: null,
    description: 'For `choice`: the allowed values',
  },
  pattern: optionalText(
    attributeLimits.patternCharacters,
    'For `text` and `url`: an RE2 pattern that the entire value must match',
  ),
  min: bound('Minimum number, or first day as YYYY-MM-DD'),
  max: bound('Maximum number, or last day as YYYY-MM-DD'),
  max_length: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: productLimits.attributeValueCharacters,
    default: null,
    description: 'For `text` and `url`: maximum number of characters',
  },
  required_for: {
    type: ['object', 'null'],
    properties: mapValues(requiredFor, (list) => ({ ...list, default: [] })),
    ...closed,
    default: null,
    description:
      'Active products that need a value: those of one of the types and in one of the categories; null: none',
  },
  mode: OneOf(modes, {
    default: 'warn',
    description:
      'off: values are not checked; warn: errors lower the quality score, and a push reports them; enforce: writes with errors are rejected',
  }),
  description: Type.String({ maxLength: attributeLimits.descriptionCharacters, default: '' }),
}

function bound(description: string): object {
  return { type: ['number', 'string', 'null'], default: null, description }
}

function mapValues<Value>(
  object: Record<string, Value>,
  change: (value: Value) => object,
): Record<string, object> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

const Name = Type.String({
  minLength: 1,
  maxLength: productLimits.attributeNameCharacters,
  pattern: withoutDirectionControls,
  description: 'the attribute name, exactly as in products, without bidirectional control characters',
})
const AttributeTypeSchema = OneOf(attributeTypes)

function objectSchema(properties: object, options: object): TSchema {
  return { type: 'object', properties, ...closed, ...options } as TSchema
}

const withoutDefault = ({ default: _default, ...schema }: { default?: unknown }) => schema

/** The body of POST. */
export const AttributeDefinitionInputSchema = Type.Unsafe<AttributeDefinition>(
  objectSchema(
    { name: Name, type: AttributeTypeSchema, ...fields },
    {
      $id: 'AttributeDefinitionInput',
      required: ['name', 'type'],
      examples: [definitionBody],
    },
  ),
)

/** Responses include every field. */
export const AttributeDefinitionSchema = Type.Unsafe<AttributeDefinition>(
  objectSchema(
    {
      name: Type.String(),
      type: AttributeTypeSchema,
      ...mapValues(fields, withoutDefault),
      required_for: {
        ...withoutDefault(fields.required_for),
        properties: requiredFor,
        required: Object.keys(requiredFor),
      },
    },
    {
      $id: 'AttributeDefinition',
      required: ['name', 'type', ...Object.keys(fields)],
      examples: [definition],
    },
  ),
)

export type AttributeDefinitionPatch = Partial<Omit<AttributeDefinition, 'required_for'>> & {
  required_for?: Partial<RequiredFor> | null
}

/** The body of PATCH. */
export const AttributeDefinitionPatchSchema = Type.Unsafe<AttributeDefinitionPatch>(
  objectSchema(
    {
      name: Type.String({ description: 'Can be repeated, but not changed' }),
      type: AttributeTypeSchema,
      ...mapValues(fields, withoutDefault),
      required_for: { ...withoutDefault(fields.required_for), properties: requiredFor },
    },
    {
      $id: 'AttributeDefinitionPatch',
      examples: [{ mode: 'enforce', allowed: ['Stoneware', 'Porcelain', 'Glass', 'Wood'] }],
    },
  ),
)

/** The body of PUT. */
export const AttributeDefinitionSetSchema = Type.Object(
  {
    attributes: Type.Array(
      Type.Unsafe<AttributeDefinition>({
        ...AttributeDefinitionInputSchema,
        $id: undefined,
        examples: undefined,
      }),
      { maxItems: attributeLimits.definitions },
    ),
  },
  {
    $id: 'AttributeDefinitionSet',
    ...closed,
    examples: [
      {
        attributes: [
          { name: 'material', type: 'choice', allowed: ['Stoneware', 'Porcelain'], mode: 'enforce' },
          { name: 'capacity_ml', type: 'number', unit: 'ml', min: 1 },
        ],
      },
    ],
  },
)

export const AttributeDefinitionPageSchema = PageOf(AttributeDefinitionSchema, 'AttributeDefinitionPage')
export const AttributeDefinitionQuerySchema = Type.Object(pageParameters)

const Count = Type.Integer({ minimum: 0 })

/** The result of PUT. */
export const AttributeDefinitionsPutSchema = Type.Object(
  {
    created: Count,
    updated: Count,
    deleted: Count,
    unchanged: Count,
    ruleset: Type.Integer({ description: 'Ruleset version in force after the request' }),
    dry_run: Type.Boolean(),
  },
  {
    $id: 'AttributeDefinitionsPut',
    ...closed,
    examples: [{ created: 1, updated: 1, deleted: 0, unchanged: 0, ruleset: 4, dry_run: false }],
  },
)
export type AttributeDefinitionsPut = Type.Static<typeof AttributeDefinitionsPutSchema>
