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
  'invisible_characters',
] as const
export type RuleKind = (typeof ruleKinds)[number]

/** The fields that text rules can check. */
export type TextField = FieldOf<'text' | 'code'>
const textFields = [...fieldsOfKind('text'), ...fieldsOfKind('code')]

const Bound = Type.Integer({ minimum: 0, maximum: qualityLimits.bound })

/** A rule in requests, in storage and in responses. */
export const QualityRuleSchema = Type.Object(
  {
    code: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,49}$',
      description: 'a code of 1 to 50 lowercase letters, digits and underscores that starts with a letter',
    }),
    kind: OneOf(ruleKinds, { description: 'What the rule checks; the other fields depend on it' }),
    field: Type.Optional(OneOf(textFields, { description: 'Text field to check; markup is ignored' })),
    attribute: Type.Optional(Type.String({ minLength: 1, maxLength: productLimits.attributeNameCharacters })),
    min: Type.Optional(Bound),
    max: Type.Optional(Bound),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: qualityLimits.patternCharacters,
        description:
          'RE2 pattern that the entire text must match; only the first 1,000 characters of a longer text are checked',
      }),
    ),
    points: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Points that a product loses if it fails',
    }),
    product_types: Type.Optional(
      Type.Array(ProductTypeSchema, {
        maxItems: productTypes.length,
        description: 'Product types that the rule checks; products of other types pass. Default: all types',
      }),
    ),
    categories: Type.Optional(
      Type.Array(CategoryId, {
        maxItems: qualityLimits.categories,
        description: 'Categories that the rule checks; products in none of them pass. Default: all products',
      }),
    ),
    message: Type.Optional(
      Type.String({
        ...oneLine,
        minLength: 1,
        maxLength: qualityLimits.messageCharacters,
        'x-normalised': true,
        description:
          'one line of text to show for products that fail; by default, a message for the kind of rule',
      }),
    ),
  },
  { $id: 'QualityRule', ...closed },
)
export type QualityRule = Type.Static<typeof QualityRuleSchema>
