import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { fieldsOfKind } from '../../src/model/fields/product-fields.ts'
import { counted, numberText } from '../parts/words/number-text.ts'
import type { QualityRule, RuleKind } from '../wire.ts'

export type RuleSetting = 'field' | 'attribute' | 'min' | 'max' | 'pattern'

/** What people read of a kind, and which settings its rules have. */
export const ruleKinds: Record<RuleKind, { label: string; settings: RuleSetting[] }> = {
  text_length: { label: 'A text has a length', settings: ['field', 'min', 'max'] },
  text_case: { label: 'A text is not all capitals', settings: ['field'] },
  text_pattern: { label: 'A text has a form', settings: ['field', 'pattern'] },
  price_present: { label: 'There is a price', settings: [] },
  category_count: { label: 'It is in categories', settings: ['min'] },
  attribute_count: { label: 'It has attributes', settings: ['min'] },
  attribute_values: { label: 'No attribute is empty', settings: [] },
  attribute_present: { label: 'It has an attribute', settings: ['attribute'] },
  attribute_definitions: { label: 'Attributes fit their definitions', settings: [] },
  image_present: { label: 'It has pictures', settings: ['min'] },
  image_alt: { label: 'Pictures have alternative texts', settings: [] },
}
export const kindChoices = Object.entries(ruleKinds).map(([value, { label }]) => ({ value, label }))

export const textChoices = [...fieldsOfKind('text'), ...fieldsOfKind('code')].map((value) => ({
  value,
  label: fieldLabel(value),
}))

/** What a rule asks for. */
export function ruleText({ kind, field, attribute, min, max, pattern }: QualityRule): string {
  const text = field === undefined ? '' : fieldLabel(field)
  switch (kind) {
    case 'text_length':
      return `${text}: ${lengthText(min, max)}`
    case 'text_case':
      return `${text} is not all capitals`
    case 'text_pattern':
      return `${text} has the form ${pattern}`
    case 'category_count':
      return `In at least ${counted(min ?? 1, 'category', 'categories')}`
    case 'attribute_count':
      return `At least ${counted(min ?? 1, 'attribute')}`
    case 'attribute_present':
      return `Has the attribute ${attribute}`
    case 'image_present':
      return `At least ${counted(min ?? 1, 'picture')}`
    default:
      return ruleKinds[kind].label
  }
}

function lengthText(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return `at least ${counted(min ?? 0, 'character')}`
  return min === undefined
    ? `at most ${counted(max, 'character')}`
    : `${numberText(min)} to ${counted(max, 'character')}`
}
