import fc from 'fast-check'
import { expect, test } from 'vitest'
import { productTypes, statuses } from '../fields/product-fields.ts'
import type { Scored } from './quality-rule.ts'
import { scoreProduct } from './quality-score.ts'
import { defaultRuleset } from './ruleset.ts'
import { showsCharacters } from './visible-text.ts'

/** The former hard-coded rules: code, points, and the condition. */
const asBefore: [string, number, (product: Scored) => boolean][] = [
  ['name_length', 15, ({ name }) => name.length >= 10 && name.length <= 150],
  ['name_case', 5, ({ name }) => name !== name.toUpperCase() || name === name.toLowerCase()],
  ['description_length', 25, ({ description }) => showsCharacters(description, 100)],
  ['short_description_length', 10, ({ short_description }) => showsCharacters(short_description, 20)],
  [
    'price_present',
    15,
    ({ price, product_type }) =>
      price !== null || ['configurable', 'grouped', 'bundle'].includes(product_type),
  ],
  ['category_present', 10, ({ categories }) => categories.length > 0],
  ['attribute_count', 10, ({ attributes }) => Object.keys(attributes).length >= 3],
  [
    'attribute_values',
    5,
    ({ attributes }) => Object.values(attributes).every((value) => String(value).trim() !== ''),
  ],
  ['sku_form', 5, ({ sku }) => /^[A-Za-z0-9][A-Za-z0-9._-]{2,}$/.test(sku)],
]

const letters = (most: number) => fc.string({ unit: fc.constantFrom(...'aB ß1.É-_'), maxLength: most })
const trimmed = (most: number) => letters(most).map((text) => text.trim() || 'x')
const markup = fc
  .array(
    fc.oneof(letters(60), fc.constantFrom('<p>', '</p>', '&amp;', '&nbsp;', '&', '<', '<!-- x -->', '\n')),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const product = fc.record({
  sku: fc.oneof(trimmed(6), fc.string({ minLength: 1, maxLength: 8 })),
  name: fc.oneof(
    trimmed(14),
    trimmed(170),
    trimmed(14).map((name) => name.toUpperCase()),
  ),
  description: markup,
  short_description: markup,
  price: fc.constantFrom(null, 0, 12.5),
  status: fc.constantFrom(...statuses),
  product_type: fc.constantFrom(...productTypes),
  categories: fc.array(fc.record({ id: fc.nat(), name: fc.string() }), { maxLength: 2 }),
  attributes: fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.constantFrom<string | number | boolean>('red', '', ' ', 0, false),
    { maxKeys: 5 },
  ),
  media: fc.array(
    fc.constant<Scored['media'][number]>({ url: 'https://a.example', kind: 'image', alt: null, title: null }),
    { maxLength: 1 },
  ),
  parent: fc.constant(null),
  variant_axes: fc.constant<string[]>([]),
  components: fc.constant<Scored['components']>([]),
  links: fc.constant({}),
})

test('the default rules give the same results as the former hard-coded rules', { tags: 'slow' }, () => {
  fc.assert(
    fc.property(product, (one) => {
      const failed = asBefore.filter(([, , passes]) => !passes(one))
      const lost = failed.reduce((sum, [, points]) => sum + points, 0)
      expect(scoreProduct(one, defaultRuleset)).toEqual({
        score: 100 - lost,
        failed: failed.map(([code]) => code),
      })
    }),
    { numRuns: 3_000 },
  )
})
