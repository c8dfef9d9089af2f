import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { oneLine } from '../../platform/http/request/name.schema.ts'
import { CategoryId } from '../categories/category-reference.ts'
import { ProductTypeSchema } from '../fields/field-schemas.ts'
import { type FieldOf, fieldsOfKind, productTypes } from '../fields/product-fields.ts'
import { productLimits } from '../limits/products.ts'
import { qualityLimits } from '../limits/quality.ts'

const ruleKinds = [
  'text_length',
  'text_case',
  'text_pattern',
  'price_present',
  'category_count',
  'attribute_count',
  'attribute_values',
  'attribute_present',
  'attribute_definitions',
  'image_present',
  'image_alt',
] as const
export type RuleKind = (typeof ruleKinds)[number]

/** The fields that rules of texts can name. */
export type TextField = FieldOf<'text' | 'code'>
const textFields = [...fieldsOfKind('text'), ...fieldsOfKind('code')]

const Bound = Type.Integer({ minimum: 0, maximum: qualityLimits.bound })

/** A rule as it is written, kept and shown. */
export const QualityRuleSchema = Type.Object(
  {
    code: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,49}$',
      description: 'a word of a to z, 0 to 9 and _, at most 50 characters, that begins with a letter',
    }),
    kind: OneOf(ruleKinds, { description: 'What the rule looks at; the other fields depend on it' }),
    field: Type.Optional(OneOf(textFields, { description: 'The text, without its markup' })),
    attribute: Type.Optional(Type.String({ minLength: 1, maxLength: productLimits.attributeNameCharacters })),
    min: Type.Optional(Bound),
    max: Type.Optional(Bound),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: qualityLimits.patternCharacters,
        description:
          'The form of the whole text, as RE2 writes it; of long texts, of their first 1,000 characters',
      }),
    ),
    points: Type.Integer({ minimum: 0, maximum: 100, description: 'What a product loses that fails' }),
    product_types: Type.Optional(
      Type.Array(ProductTypeSchema, {
        maxItems: productTypes.length,
        description: 'Products of other types pass; left out: all types',
      }),
    ),
    categories: Type.Optional(
      Type.Array(CategoryId, {
        maxItems: qualityLimits.categories,
        description: 'Products in none of these categories pass; left out: all products',
      }),
    ),
    message: Type.Optional(
      Type.String({
        ...oneLine,
        minLength: 1,
        maxLength: qualityLimits.messageCharacters,
        'x-normalised': true,
        description: 'one line of text that a product that fails is told; left out: a sentence by the kind',
      }),
    ),
  },
  { $id: 'QualityRule', ...closed },
)
export type QualityRule = Type.Static<typeof QualityRuleSchema>
