import type { QualityRule } from './quality-rule.schema.ts'

/** Raise it whenever the behavior of a rule changes, so that stored scores are computed again. */
export const defaultRulesVersion = 3

/** The rules for projects without rules of their own. */
export const defaultRules: readonly QualityRule[] = [
  {
    code: 'name_length',
    kind: 'text_length',
    field: 'name',
    min: 10,
    max: 150,
    points: 15,
    message:
      'The name should have 10 to 150 characters. Include what it is, the brand and what sets it apart.',
  },
  {
    code: 'name_case',
    kind: 'text_case',
    field: 'name',
    points: 5,
    message: 'The name should not be in all capitals. Use sentence case.',
  },
  {
    code: 'description_length',
    kind: 'text_length',
    field: 'description',
    min: 100,
    points: 25,
    message:
      'The description should have at least 100 characters, not counting markup. Include the material, the use and what is in the box.',
  },
  {
    code: 'short_description_length',
    kind: 'text_length',
    field: 'short_description',
    min: 20,
    points: 10,
    message:
      'The short description should have at least 20 characters, not counting markup. Write one sentence for lists and previews.',
  },
  {
    code: 'price_present',
    kind: 'price_present',
    points: 15,
    product_types: ['simple', 'virtual'],
    message:
      'The price is missing. Only configurable, grouped and bundle products get their price from other products.',
  },
  {
    code: 'category_present',
    kind: 'category_count',
    min: 1,
    points: 10,
    message: 'The product is in no category. Add at least one.',
  },
  {
    code: 'attribute_count',
    kind: 'attribute_count',
    min: 3,
    points: 10,
    message: 'The product should have at least 3 attributes, such as color, material and size.',
  },
  {
    code: 'attribute_values',
    kind: 'attribute_values',
    points: 5,
    message: 'An attribute has an empty value. Fill it in, or remove the attribute.',
  },
  {
    code: 'sku_form',
    kind: 'text_pattern',
    field: 'sku',
    pattern: '[A-Za-z0-9][A-Za-z0-9._-]{2,}',
    points: 5,
    message: 'The SKU should have at least 3 letters, digits, dots, dashes or underscores, and no spaces.',
  },
]
