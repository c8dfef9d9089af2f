import type { Rule } from './quality-rule.ts'
import { showsCharacters } from './visible-text.ts'

/** Raised with every change of these rules, so that stored scores can be found and computed again. */
export const defaultRulesVersion = 2

const typesWithoutOwnPrice = ['configurable', 'grouped', 'bundle']

/** What products are scored by where their project has no rules of its own. */
export const defaultRules: readonly Rule[] = [
  {
    code: 'name_length',
    field: 'name',
    points: 15,
    passes: ({ name }) => name.length >= 10 && name.length <= 150,
    message: 'The name should have 10 to 150 characters; say what it is, the maker and what sets it apart.',
  },
  {
    code: 'name_case',
    field: 'name',
    points: 5,
    passes: ({ name }) => name !== name.toUpperCase() || name === name.toLowerCase(),
    message: 'The name should not be all capitals; write it as in a sentence.',
  },
  {
    code: 'description_length',
    field: 'description',
    points: 25,
    passes: ({ description }) => showsCharacters(description, 100),
    message:
      'The description should have at least 100 characters, not counting markup; tell material, use and what is in the box.',
  },
  {
    code: 'short_description_length',
    field: 'short_description',
    points: 10,
    passes: ({ short_description }) => showsCharacters(short_description, 20),
    message:
      'The short description should have at least 20 characters, not counting markup; one sentence for lists and previews.',
  },
  {
    code: 'price_present',
    field: 'price',
    points: 15,
    passes: ({ price, product_type }) => price !== null || typesWithoutOwnPrice.includes(product_type),
    message: 'A price is missing; only configurable, grouped and bundle products take theirs from others.',
  },
  {
    code: 'category_present',
    field: 'categories',
    points: 10,
    passes: ({ categories }) => categories.length > 0,
    message: 'The product is in no category; add at least one.',
  },
  {
    code: 'attribute_count',
    field: 'attributes',
    points: 10,
    passes: ({ attributes }) => Object.keys(attributes).length >= 3,
    message: 'The product should have at least 3 attributes, such as color, material and size.',
  },
  {
    code: 'attribute_values',
    field: 'attributes',
    points: 5,
    passes: ({ attributes }) => Object.values(attributes).every((value) => String(value).trim() !== ''),
    message: 'Some attribute has an empty value; fill it or remove the attribute.',
  },
  {
    code: 'sku_form',
    field: 'sku',
    points: 5,
    passes: ({ sku }) => /^[A-Za-z0-9][A-Za-z0-9._-]{2,}$/.test(sku),
    message: 'The SKU should be at least 3 letters, digits, dots, dashes or underscores, without blanks.',
  },
]
