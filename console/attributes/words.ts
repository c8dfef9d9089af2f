import { counted, numberText } from '../parts/words/number-text.ts'
import { attributeParameter, typeLabels } from '../products/words.ts'
import type { AttributeDefinition, ProductType } from '../wire.ts'

export const typeWords: Record<AttributeDefinition['type'], string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'True or false',
  date: 'Date',
  choice: 'Choice',
  url: 'Address (url)',
}

export const modeWords = {
  off: { text: 'Off', tone: 'gray', what: 'nothing is checked' },
  warn: {
    text: 'Warn',
    tone: 'yellow',
    what: 'faults count in the quality score',
  },
  enforce: { text: 'Enforce', tone: 'accent', what: 'a write that brings a fault is refused' },
} as const

/** The products that have the attribute, as the address of their list says it. */
export function filterOf(name: string): Record<string, string> {
  return { [attributeParameter(name, 'isnull')]: 'false' }
}

export function typeText({ type, unit, multiple }: AttributeDefinition): string {
  return [typeWords[type], unit === null ? '' : `in ${unit}`, multiple ? '(several)' : '']
    .filter((word) => word !== '')
    .join(' ')
}

const mostChoices = 4

/** What values there may be. */
export function limitsText({ allowed, pattern, min, max, max_length }: AttributeDefinition): string {
  if (allowed !== null) {
    const others = allowed.length - mostChoices
    return allowed.slice(0, mostChoices).join(', ') + (others > 0 ? ` and ${numberText(others)} more` : '')
  }
  return [
    min !== null && `from ${min}`,
    max !== null && `up to ${max}`,
    pattern !== null && `of the form ${pattern}`,
    max_length !== null && `at most ${counted(max_length, 'character')}`,
  ]
    .filter((word) => word !== false)
    .join(', ')
}

export function requiredText({ required_for }: Pick<AttributeDefinition, 'required_for'>): string {
  return required_for === null ? 'No' : scopeText(required_for)
}

/** Which products something is for. */
export function scopeText(scope: { product_types?: ProductType[]; categories?: number[] }): string {
  const { product_types: types = [], categories = [] } = scope
  const kinds = types.map((type) => typeLabels[type].toLowerCase()).join(', ')
  const places = categories.length === 0 ? '' : `in ${counted(categories.length, 'category', 'categories')}`
  return [kinds === '' ? 'All products' : `${capital(kinds)} products`, places]
    .filter((word) => word !== '')
    .join(' ')
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
