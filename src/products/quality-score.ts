import type { QualityScore } from './product.schema.ts'
import { type FieldName, type FieldValues, productFields } from './product-fields.ts'
import { showsCharacters } from './visible-text.ts'

/** What the score is made of: only what the product itself shows, so that no write makes another score stale. */
export type Scored = Readonly<FieldValues>

type Rule = {
  code: string
  field: FieldName
  points: number
  passes: (product: Scored) => boolean
  message: string
}

/** Raised with every change of the rules, so that stored scores can be found and computed again. */
export const qualityRulesVersion = 2

const typesWithoutOwnPrice = ['configurable', 'grouped', 'bundle']

const rules: readonly Rule[] = [
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

export const qualityRuleCodes: string[] = rules.map(({ code }) => code)

const fullScore = rules.reduce((sum, { points }) => sum + points, 0)

/** Computed in the write: the score to sort by, and the codes of the rules that failed. */
export function scoreProduct(product: Scored): { score: number; failed: string[] } {
  const failed = rules.filter(({ passes }) => !passes(product))
  const lost = failed.reduce((sum, { points }) => sum + points, 0)
  return { score: Math.round(((fullScore - lost) / fullScore) * 100), failed: failed.map(({ code }) => code) }
}

/** The stored score with every rule spelled out. */
export function explainScore(
  product: Scored,
  stored: { score: number; failed: string[]; computed_at: string },
): QualityScore {
  return {
    score: stored.score,
    grade: gradeOf(stored.score),
    completeness: completenessOf(product),
    computed_at: stored.computed_at,
    rules: verdictsOn(stored.failed),
  }
}

const knownVerdicts = new Map<string, QualityScore['rules']>()

/** There are few sets of rules to fail, and every detail shows one. */
function verdictsOn(failed: string[]): QualityScore['rules'] {
  const key = failed.join()
  const known = knownVerdicts.get(key)
  if (known !== undefined) return known
  const verdicts = rules.map(({ code, field, points, message }) => {
    const passed = !failed.includes(code)
    return {
      code,
      field,
      passed,
      points: passed ? points : 0,
      max_points: points,
      message: passed ? 'Fine as it is.' : message,
    }
  })
  knownVerdicts.set(key, verdicts)
  return verdicts
}

function gradeOf(score: number): QualityScore['grade'] {
  if (score >= 90) return 'A'
  if (score >= 75) return 'B'
  if (score >= 60) return 'C'
  if (score >= 40) return 'D'
  return 'E'
}

const descriptive = (Object.keys(productFields) as FieldName[]).filter(
  (name) => productFields[name].isDescriptive,
)

function completenessOf(product: Scored): number {
  const filled = descriptive.filter((name) => isFilled(product[name]))
  return Math.round((filled.length / descriptive.length) * 100)
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return showsCharacters(value, 1)
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== null
}
