import { attributeParameter, typeLabels } from '../products/filter-labels.ts'
import type { AttributeDefinition, ProductType } from '../wire.ts'
import { strings } from './strings.ts'

export const attributeTypeLabels: Record<AttributeDefinition['type'], string> = {
  text: strings.types.text,
  number: strings.types.number,
  boolean: strings.types.boolean,
  date: strings.types.date,
  choice: strings.types.choice,
  url: strings.types.url,
}

export const modeLabels = {
  off: { text: strings.modes.off, tone: 'gray', what: strings.modes.offHint },
  warn: {
    text: strings.modes.warn,
    tone: 'yellow',
    what: strings.modes.warnHint,
  },
  enforce: { text: strings.modes.enforce, tone: 'accent', what: strings.modes.enforceHint },
} as const

/** The list filter for products that have the attribute. */
export function attributeFilter(name: string): Record<string, string> {
  return { [attributeParameter(name, 'isnull')]: 'false' }
}

export function typeText({ type, unit, multiple }: AttributeDefinition): string {
  return [
    attributeTypeLabels[type],
    unit === null ? '' : strings.definition.unit(unit),
    multiple ? strings.definition.multiple : '',
  ]
    .filter((word) => word !== '')
    .join(' ')
}

const maxChoices = 4

/** The limits of the values. */
export function limitsText({ allowed, pattern, min, max, max_length }: AttributeDefinition): string {
  if (allowed !== null) {
    const others = allowed.length - maxChoices
    return allowed.slice(0, maxChoices).join(', ') + (others > 0 ? strings.definition.more(others) : '')
  }
  return [
    min !== null && strings.definition.min(min),
    max !== null && strings.definition.max(max),
    pattern !== null && strings.definition.pattern(pattern),
    max_length !== null && strings.definition.maxLength(max_length),
  ]
    .filter((word) => word !== false)
    .join(', ')
}

/** The limits as a table cell. Choices keep their spelling. */
export function valuesText(definition: AttributeDefinition): string {
  const limits = limitsText(definition)
  return definition.allowed === null ? capital(limits) : limits
}

export function requiredText({ required_for }: Pick<AttributeDefinition, 'required_for'>): string {
  return required_for === null ? strings.definition.notRequired : scopeText(required_for)
}

/** The products that a definition or rule applies to. */
export function scopeText(scope: { product_types?: ProductType[]; categories?: number[] }): string {
  const { product_types: types = [], categories = [] } = scope
  const kinds = types.map((type) => typeLabels[type].toLowerCase()).join(', ')
  const places = categories.length === 0 ? '' : strings.definition.inCategories(categories.length)
  return [
    kinds === '' ? strings.definition.allProducts : strings.definition.productsOf(capital(kinds)),
    places,
  ]
    .filter((word) => word !== '')
    .join(' ')
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
