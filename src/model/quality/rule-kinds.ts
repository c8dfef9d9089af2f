import type { AttributeChecks } from '../attributes/check-attributes.ts'
import { compilePattern } from '../attributes/linear-pattern.ts'
import { productFields } from '../fields/product-fields.ts'
import { qualityLimits } from '../limits/quality.ts'
import type { QualityRule, RuleKind, TextField } from './quality-rule.schema.ts'
import type { Rule, Scored } from './quality-rule.ts'

/** Reads a field without its markup: at least `wanted` characters, or the entire text if it is shorter. */
export type ReadText = Record<TextField, (product: Scored, wanted: number) => string>

export type RuleSetting = 'field' | 'attribute' | 'min' | 'max' | 'pattern'

type Kind = {
  /** The required and the optional settings of a rule of this kind. */
  needs: readonly RuleSetting[]
  takes?: readonly RuleSetting[]
  /** The field to fix, if the rule has no `field`. */
  field?: string
  /** The message of a rule without its own message. */
  defaultMessage: (rule: QualityRule) => string
  compile: (rule: QualityRule, readText: ReadText, checks: AttributeChecks | undefined) => Rule['passes']
}

/** The minimum count of a rule that does not set `min`. */
export const defaultMin = 1

/** Everything that the service knows about each kind of rule. */
export const kinds: Record<RuleKind, Kind> = {
  text_length: {
    needs: ['field'],
    takes: ['min', 'max'],
    defaultMessage: (rule) =>
      `The ${labelInSentence(rule)} should have ${lengthOf(rule)} characters, not counting markup.`,
    compile: checkTextLength,
  },
  text_case: {
    needs: ['field'],
    defaultMessage: (rule) => `The ${labelInSentence(rule)} should not be in all capitals.`,
    compile:
      ({ field = 'name' }, { [field]: read }) =>
      (product) => {
        const text = read(product, qualityLimits.casedCharacters)
        return text !== text.toUpperCase() || text === text.toLowerCase()
      },
  },
  text_pattern: {
    needs: ['field', 'pattern'],
    defaultMessage: (rule) => `The ${labelInSentence(rule)} should match the pattern ${rule.pattern}.`,
    compile: ({ field = 'name', pattern = '' }, { [field]: read }) => {
      const matches = compilePattern(pattern)
      return (product) =>
        matches(read(product, qualityLimits.patternedCharacters).slice(0, qualityLimits.patternedCharacters))
    },
  },
  price_present: {
    needs: [],
    field: 'price',
    defaultMessage: () => 'The price is missing.',
    compile: () => (product) => product.price !== null,
  },
  category_count: {
    needs: [],
    takes: ['min'],
    field: 'categories',
    defaultMessage: ({ min = defaultMin }) =>
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
    defaultMessage: ({ min = defaultMin }) =>
      `The product should have at least ${counted(min, 'attribute', 'attributes')}.`,
    compile:
      ({ min = defaultMin }) =>
      (product) =>
        Object.keys(product.attributes).length >= min,
  },
  attribute_values: {
    needs: [],
    field: 'attributes',
    defaultMessage: () => 'An attribute has an empty value. Fill it in, or remove the attribute.',
    compile: () => (product) => Object.values(product.attributes).every(isFilled),
  },
  attribute_present: {
    needs: ['attribute'],
    field: 'attributes',
    defaultMessage: ({ attribute }) => `The attribute ${attribute} is missing or empty.`,
    compile:
      ({ attribute = '' }) =>
      ({ attributes }) =>
        Object.hasOwn(attributes, attribute) && isFilled(attributes[attribute]),
  },
  // The rule for all attribute definitions. A project's own rules can contain it to change its points or position.
  attribute_definitions: {
    needs: [],
    field: 'attributes',
    defaultMessage: () => 'An attribute does not match its definition.',
    compile: (_rule, _readText, checks) => (product) =>
      checks === undefined || checks.checkProduct(product).length === 0,
  },
  image_present: {
    needs: [],
    takes: ['min'],
    field: 'media',
    defaultMessage: ({ min = defaultMin }) =>
      `The product should have at least ${counted(min, 'image', 'images')}.`,
    compile:
      ({ min = defaultMin }) =>
      (product) =>
        imagesOf(product).length >= min,
  },
  image_alt: {
    needs: [],
    field: 'media',
    defaultMessage: () => 'An image has no alt text. Describe what it shows.',
    compile: () => (product) => imagesOf(product).every(({ alt }) => isFilled(alt ?? '')),
  },
  // Not a default rule, so that no score changes.
  invisible_characters: {
    needs: [],
    field: 'description',
    defaultMessage: () => 'A text contains invisible characters. Remove them, or type the text again.',
    compile: () => (product) => !hasInvisible(product),
  },
}

/**
 * Zero-width spaces, direction controls, tags and variation selectors that can carry text. Not the joiners of emoji and of Arabic
 * scripts, nor soft hyphens, which people use.
 */
const invisible = /[\u180e\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e01ef}]/u

function hasInvisible({ name, description, short_description, attributes }: Scored): boolean {
  const texts = [name, description, short_description, ...Object.entries(attributes).flat(2)]
  return texts.some((text) => typeof text === 'string' && invisible.test(text))
}

function checkTextLength(
  { field = 'name', min = 0, max }: QualityRule,
  { [field]: read }: ReadText,
): Rule['passes'] {
  if (max === undefined) return (product) => read(product, min).length >= min
  return (product) => {
    const { length } = read(product, max + 1)
    return length >= min && length <= max
  }
}

/** Every value of a list must be filled. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return !Array.isArray(value) || value.every(isFilled)
}

function imagesOf({ media }: Scored): Scored['media'] {
  return media.filter(({ kind }) => kind === 'image')
}

function labelInSentence({ field = 'name' }: QualityRule): string {
  const { label } = productFields[field]
  // An abbreviation keeps its capitals within a sentence.
  return label === label.toUpperCase() ? label : label.toLowerCase()
}

function lengthOf({ min, max }: QualityRule): string {
  if (max === undefined) return `at least ${min}`
  return min === undefined ? `at most ${max}` : `${min} to ${max}`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
