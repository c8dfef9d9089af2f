import { defaultRules } from './default-rules.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import { defaultMin, kinds } from './rule-kinds.ts'

type StoredRules = readonly QualityRule[] | null

/** The rules in the form of responses: the default rules if the project has none. */
export function shownRules(rules: StoredRules): QualityRule[] {
  return (rules ?? defaultRules).map(completeRule)
}

export function areSameRules(one: StoredRules, other: StoredRules): boolean {
  return JSON.stringify(shownRules(one)) === JSON.stringify(shownRules(other))
}

/** A rule with its defaults and in one key order, so that equal rules are stored and shown equally. */
export function completeRule(rule: QualityRule): QualityRule {
  const { code, kind, field, attribute, min, max, pattern, points, product_types, categories } = rule
  const { takes = [], defaultMessage } = kinds[kind]
  const least = takes.includes('min') && !takes.includes('max') ? defaultMin : undefined
  return {
    code,
    kind,
    ...(field && { field }),
    ...(attribute !== undefined && { attribute }),
    ...((min ?? least) !== undefined && { min: min ?? (least as number) }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
    points,
    ...(product_types?.length && { product_types: [...new Set(product_types)] }),
    ...(categories?.length && { categories: [...new Set(categories)] }),
    message: rule.message ?? defaultMessage(rule),
  }
}
