import type { AttributeChecks } from '../attributes/check-attributes.ts'
import { compilePattern } from '../attributes/linear-pattern.ts'
import { productFields } from '../fields/product-fields.ts'
import { qualityLimits } from '../limits/quality.ts'
import type { QualityRule, RuleKind, TextField } from './quality-rule.schema.ts'
import type { Rule, Scored } from './quality-rule.ts'

/** The text of a field without its markup: as many characters of it as are wanted, or a few more. */
export type ReadText = Record<TextField, (product: Scored, wanted: number) => string>

export type RuleSetting = 'field' | 'attribute' | 'min' | 'max' | 'pattern'

type Kind = {
  /** What a rule of this kind must say, and what it may. */
  needs: readonly RuleSetting[]
  takes?: readonly RuleSetting[]
  /** The field that is to be mended, where the rule does not name it. */
  field?: string
  /** The message of a rule that has none of its own. */
  sentence: (rule: QualityRule) => string
  compile: (rule: QualityRule, readText: ReadText, checks: AttributeChecks | undefined) => Rule['passes']
}

/** How many a rule wants that says nothing about it. */
export const defaultMin = 1

/** All that the service knows of a kind of rule. */
export const kinds: Record<RuleKind, Kind> = {
  text_length: {
    needs: ['field'],
    takes: ['min', 'max'],
    sentence: (rule) => `The ${labelOf(rule)} should have ${lengthOf(rule)} characters, not counting markup.`,
    compile: textLength,
  },
  text_case: {
    needs: ['field'],
    sentence: (rule) => `The ${labelOf(rule)} should not be in all capitals.`,
    compile:
      ({ field = 'name' }, { [field]: read }) =>
      (product) => {
        const text = read(product, qualityLimits.casedCharacters)
        return text !== text.toUpperCase() || text === text.toLowerCase()
      },
  },
  text_pattern: {
    needs: ['field', 'pattern'],
    sentence: (rule) => `The ${labelOf(rule)} should match the pattern ${rule.pattern}.`,
    compile: ({ field = 'name', pattern = '' }, { [field]: read }) => {
      const matches = compilePattern(pattern)
      return (product) =>
        matches(read(product, qualityLimits.patternedCharacters).slice(0, qualityLimits.patternedCharacters))
    },
  },
  price_present: {
    needs: [],
    field: 'price',
    sentence: () => 'The price is missing.',
    compile: () => (product) => product.price !== null,
  },
  category_count: {
    needs: [],
    takes: ['min'],
    field: 'categories',
    sentence: ({ min = defaultMin }) =>
      `The product should be in at least ${counted(min, 'category', 'categories')}.`,
    compile:
      ({ min = defaultMin }) =>
      (product) =>
        product.categories.length >= min,
  },
  attribute_count: {
    needs: [],
    takes: ['min'],
    field: 'attributes',
    sentence: ({ min = defaultMin }) =>
      `The product should have at least ${counted(min, 'attribute', 'attributes')}.`,
    compile:
      ({ min = defaultMin }) =>
      (product) =>
        Object.keys(product.attributes).length >= min,
  },
  attribute_values: {
    needs: [],
    field: 'attributes',
    sentence: () => 'An attribute has an empty value. Fill it in, or remove the attribute.',
    compile: () => (product) => Object.values(product.attributes).every(isFilled),
  },
  attribute_present: {
    needs: ['attribute'],
    field: 'attributes',
    sentence: ({ attribute }) => `The attribute ${attribute} is missing or empty.`,
    compile:
      ({ attribute = '' }) =>
      ({ attributes }) =>
        Object.hasOwn(attributes, attribute) && isFilled(attributes[attribute]),
  },
  // The one rule for all definitions of attributes. A project's own set may name it, to give it other points or another place.
  attribute_definitions: {
    needs: [],
    field: 'attributes',
    sentence: () => 'An attribute does not match its definition.',
    compile: (_rule, _readText, checks) => (product) =>
      checks === undefined || checks.ofProduct(product).length === 0,
  },
  image_present: {
    needs: [],
    takes: ['min'],
    field: 'media',
    sentence: ({ min = defaultMin }) =>
      `The product should have at least ${counted(min, 'image', 'images')}.`,
    compile:
      ({ min = defaultMin }) =>
      (product) =>
        imagesOf(product).length >= min,
  },
  image_alt: {
    needs: [],
    field: 'media',
    sentence: () => 'An image has no alt text. Describe what it shows.',
    compile: () => (product) => imagesOf(product).every(({ alt }) => isFilled(alt ?? '')),
  },
}

function textLength(
  { field = 'name', min = 0, max }: QualityRule,
  { [field]: read }: ReadText,
): Rule['passes'] {
  if (max === undefined) return (product) => read(product, min).length >= min
  return (product) => {
    const { length } = read(product, max + 1)
    return length >= min && length <= max
  }
}

/** An attribute may have several values, of which each counts. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return !Array.isArray(value) || value.every(isFilled)
}

function imagesOf({ media }: Scored): Scored['media'] {
  return media.filter(({ kind }) => kind === 'image')
}

function labelOf({ field = 'name' }: QualityRule): string {
  const { label } = productFields[field]
  // An abbreviation stays in capitals within a sentence.
  return label === label.toUpperCase() ? label : label.toLowerCase()
}

function lengthOf({ min, max }: QualityRule): string {
  if (max === undefined) return `at least ${min}`
  return min === undefined ? `at most ${max}` : `${min} to ${max}`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
