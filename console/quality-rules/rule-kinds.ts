import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { fieldsOfKind } from '../../src/model/fields/product-fields.ts'
import type { QualityRule, RuleKind } from '../wire.ts'
import { strings } from './strings.ts'

export type RuleSetting = 'field' | 'attribute' | 'min' | 'max' | 'pattern'

/** The label and settings of each rule kind. */
export const ruleKinds: Record<RuleKind, { label: string; settings: RuleSetting[] }> = {
  text_length: { label: strings.kinds.text_length, settings: ['field', 'min', 'max'] },
  text_case: { label: strings.kinds.text_case, settings: ['field'] },
  text_pattern: { label: strings.kinds.text_pattern, settings: ['field', 'pattern'] },
  price_present: { label: strings.kinds.price_present, settings: [] },
  category_count: { label: strings.kinds.category_count, settings: ['min'] },
  attribute_count: { label: strings.kinds.attribute_count, settings: ['min'] },
  attribute_values: { label: strings.kinds.attribute_values, settings: [] },
  attribute_present: { label: strings.kinds.attribute_present, settings: ['attribute'] },
  attribute_definitions: { label: strings.kinds.attribute_definitions, settings: [] },
  image_present: { label: strings.kinds.image_present, settings: ['min'] },
  image_alt: { label: strings.kinds.image_alt, settings: [] },
  invisible_characters: { label: strings.kinds.invisible_characters, settings: [] },
}
export const kindChoices = Object.entries(ruleKinds).map(([value, { label }]) => ({ value, label }))

export const textChoices = [...fieldsOfKind('text'), ...fieldsOfKind('code')].map((value) => ({
  value,
  label: fieldLabel(value),
}))

/** What a rule requires. */
export function ruleText({ kind, field, attribute, min, max, pattern }: QualityRule): string {
  const text = field === undefined ? '' : fieldLabel(field)
  switch (kind) {
    case 'text_length':
      return strings.rule.length(text, lengthText(min, max))
    case 'text_case':
      return strings.rule.notCapitals(text)
    case 'text_pattern':
      return strings.rule.pattern(text, pattern ?? '')
    case 'category_count':
      return strings.rule.categories(min ?? 1)
    case 'attribute_count':
      return strings.rule.attributes(min ?? 1)
    case 'attribute_present':
      return strings.rule.attribute(attribute ?? '')
    case 'image_present':
      return strings.rule.images(min ?? 1)
    default:
      return ruleKinds[kind].label
  }
}

function lengthText(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return strings.rule.minLength(min ?? 0)
  return min === undefined ? strings.rule.maxLength(max) : strings.rule.lengthRange(min, max)
}
