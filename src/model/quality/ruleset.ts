import type { AttributeDefinition } from '../attributes/attribute-definition.schema.ts'
import { type AttributeChecks, compileChecks } from '../attributes/check-attributes.ts'
import type { QualityScore } from '../product/product.schema.ts'
import { compileViews, type StoredViews, type Views } from '../views/views.ts'
import { compileRules } from './compile-rules.ts'
import { defaultRules } from './default-rules.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { Rule, Scored } from './quality-rule.ts'

type RuleResults = QualityScore['rules']

/** A stored ruleset. Rules are null if the project uses the default rules. */
export type StoredRuleset = {
  rules: readonly QualityRule[] | null
  definitions: readonly AttributeDefinition[]
  /** Null if the project never had a view. */
  views: StoredViews | null
}

/** The rules and definitions that products are checked and scored by. Immutable: a change creates a new version. */
export type Ruleset = {
  /** 0: the default rules. */
  version: number
  rules: readonly Rule[]
  definitions: readonly AttributeDefinition[]
  /** Undefined if the project has no views. */
  views: Views | undefined
  /** Undefined if no attribute definition is checked. */
  attributeChecks: AttributeChecks | undefined
  fullScore: number
  /** The result of every rule for a product that failed these codes. */
  resultsFor(failed: string[], product: Scored): RuleResults
}

const maxCachedResults = 1_000

export function createRuleset(version: number, { rules: own, definitions, views }: StoredRuleset): Ruleset {
  const attributeChecks = compileChecks(definitions)
  const rules = compileRules(own ?? defaultRules, attributeChecks)
  // Few combinations of failed rules occur, and every product detail shows one. Messages that depend on the product are not cached.
  const known = new Map<string, RuleResults>()
  const productSpecific = new Set(
    rules.filter(({ message }) => typeof message === 'function').map(({ code }) => code),
  )
  return {
    version,
    rules,
    definitions,
    views: compileViews(views),
    attributeChecks,
    fullScore: rules.reduce((sum, { points }) => sum + points, 0),
    resultsFor(failed, product) {
      const key = failed.join()
      const held = known.get(key)
      if (held !== undefined) return held
      const results = rules.map((rule) => resultOf(rule, failed, product))
      const isShared = productSpecific.size === 0 || !failed.some((code) => productSpecific.has(code))
      if (isShared && known.size < maxCachedResults) known.set(key, results)
      return results
    },
  }
}

function resultOf(
  { code, field, points, message }: Rule,
  failed: string[],
  product: Scored,
): RuleResults[number] {
  const passed = !failed.includes(code)
  const text = typeof message === 'function' && !passed ? message(product) : message
  return {
    code,
    field,
    passed,
    points: passed ? points : 0,
    max_points: points,
    message: passed ? 'Passed.' : (text as string),
  }
}

export const serviceRuleset: StoredRuleset = { rules: null, definitions: [], views: null }
export const defaultRuleset = createRuleset(0, serviceRuleset)
