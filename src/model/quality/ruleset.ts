import type { AttributeDefinition } from '../attributes/attribute-definition.schema.ts'
import { type AttributeChecks, checksOf } from '../attributes/check-attributes.ts'
import type { QualityScore } from '../product/product.schema.ts'
import { compileRules } from './compile-rules.ts'
import { defaultRules } from './default-rules.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { Rule, Scored } from './quality-rule.ts'

type Verdicts = QualityScore['rules']

/** A stored ruleset. Rules are null if the project uses the default rules. */
export type StoredRuleset = {
  rules: readonly QualityRule[] | null
  definitions: readonly AttributeDefinition[]
}

/** The rules and definitions that products are checked and scored by. Immutable: a change creates a new version. */
export type Ruleset = {
  /** 0: the default rules. */
  version: number
  rules: readonly Rule[]
  definitions: readonly AttributeDefinition[]
  /** Undefined if no attribute definition is checked. */
  attributeChecks: AttributeChecks | undefined
  fullScore: number
  /** The result of every rule for a product that failed these codes. */
  verdictsOn(failed: string[], product: Scored): Verdicts
}

const mostKnownVerdicts = 1_000

export function makeRuleset(version: number, { rules: own, definitions }: StoredRuleset): Ruleset {
  const attributeChecks = checksOf(definitions)
  const rules = compileRules(own ?? defaultRules, attributeChecks)
  // Few combinations of failed rules occur, and every product detail shows one. Messages that depend on the product are not cached.
  const known = new Map<string, Verdicts>()
  const speaksOfProduct = new Set(
    rules.filter(({ message }) => typeof message === 'function').map(({ code }) => code),
  )
  return {
    version,
    rules,
    definitions,
    attributeChecks,
    fullScore: rules.reduce((sum, { points }) => sum + points, 0),
    verdictsOn(failed, product) {
      const key = failed.join()
      const held = known.get(key)
      if (held !== undefined) return held
      const verdicts = rules.map((rule) => verdictOf(rule, failed, product))
      const isShared = speaksOfProduct.size === 0 || !failed.some((code) => speaksOfProduct.has(code))
      if (isShared && known.size < mostKnownVerdicts) known.set(key, verdicts)
      return verdicts
    },
  }
}

function verdictOf(
  { code, field, points, message }: Rule,
  failed: string[],
  product: Scored,
): Verdicts[number] {
  const passed = !failed.includes(code)
  const told = typeof message === 'function' && !passed ? message(product) : message
  return {
    code,
    field,
    passed,
    points: passed ? points : 0,
    max_points: points,
    message: passed ? 'Passed.' : (told as string),
  }
}

export const serviceRuleset: StoredRuleset = { rules: null, definitions: [] }
export const defaultRuleset = makeRuleset(0, serviceRuleset)
