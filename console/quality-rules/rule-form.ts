import { ProblemError } from '../network.ts'
import { parseNumber } from '../parts/numbers/parse-number.ts'
import { fieldText } from '../parts/numbers/read-number.ts'
import type { Choice } from '../products/filters/category-select.tsx'
import type { ProductType, QualityRule, RuleKind, TextField } from '../wire.ts'
import { type RuleSetting, ruleKinds } from './rule-kinds.ts'

/** A rule in the form. Numbers are stored as typed text. */
export type RuleValues = {
  code: string
  kind: RuleKind
  field: TextField
  attribute: string
  min: string
  max: string
  pattern: string
  points: string
  product_types: ProductType[]
  categories: Choice[]
  message: string
}

export const emptyRule: QualityRule = { code: '', kind: 'text_length', field: 'name', min: 10, points: 10 }

export function ruleValues(rule: QualityRule, categories: Choice[]): RuleValues {
  const text = (value: number | undefined) => fieldText(value)
  const { code, kind, field = 'name', attribute = '', pattern = '', product_types = [], message = '' } = rule
  return {
    ...{ code, kind, field, attribute, pattern, product_types, message, categories },
    min: text(rule.min),
    max: text(rule.max),
    points: text(rule.points),
  }
}

export function ruleOf(values: RuleValues, before: QualityRule): QualityRule {
  const { kind, field, attribute, min, max, pattern, product_types, categories } = values
  const { settings } = ruleKinds[kind]
  const has = (setting: RuleSetting) => settings.includes(setting)
  const message = messageOf(values, before).trim()
  return {
    code: values.code.trim(),
    kind,
    ...(has('field') && { field }),
    ...(has('attribute') && { attribute }),
    ...(has('min') && min.trim() !== '' && { min: parseNumber('/min', min) }),
    ...(has('max') && max.trim() !== '' && { max: parseNumber('/max', max) }),
    ...(has('pattern') && { pattern }),
    points: parseNumber('/points', values.points),
    ...(product_types.length > 0 && { product_types }),
    ...(categories.length > 0 && { categories: categories.map(({ value }) => Number(value)) }),
    ...(message !== '' && { message }),
  }
}

const limits = ['min', 'max'] as const
const others = ['kind', 'field', 'attribute', 'pattern'] as const

/**
 * A default message follows the limits that it names. If the rule now checks something else, the message is empty, and the
 * service writes one.
 */
export function messageOf(values: RuleValues, before: QualityRule): string {
  if (values.message !== (before.message ?? '')) return values.message
  const settings = ruleKinds[before.kind].settings
  const isChanged = (setting: (typeof others)[number]) =>
    setting === 'kind' || settings.includes(setting) ? values[setting] !== before[setting] : false
  if (others.some(isChanged)) return ''
  let message = values.message
  for (const limit of limits) {
    const [old, next] = [String(before[limit] ?? ''), values[limit].trim()]
    if (old === next) continue
    const named = new RegExp(`(?<![\\d.,])${old}(?![\\d]|[.,]\\d)`, 'g')
    if (old === '' || next === '') return ''
    message = message.replace(named, next)
  }
  return message
}

/** Maps error pointers of one rule to the fields of its form. */
export function withRulePointers(index: number) {
  const prefix = `/rules/${index}/`
  return (error: unknown): never => {
    if (!(error instanceof ProblemError)) throw error
    const errors = error.fieldErrors.map((fieldError) => ({
      ...fieldError,
      pointer: fieldError.pointer?.startsWith(prefix)
        ? `/${fieldError.pointer.slice(prefix.length)}`
        : (fieldError.pointer ?? ''),
    }))
    throw new ProblemError(error.status, { detail: error.message, code: error.code, errors }, null)
  }
}
