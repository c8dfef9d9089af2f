import type { AttributeDefinition } from '../attributes/attribute-definition.schema.ts'
import { defaultRules } from './default-rules.ts'
import type { QualityScore } from './product.schema.ts'
import type { Rule } from './quality-rule.ts'

type Verdicts = QualityScore['rules']

/** What products are checked and scored by. It never changes: whoever changes rules or definitions makes a new version. */
export type Ruleset = {
  /** 0: the service's own. */
  version: number
  rules: readonly Rule[]
  definitions: readonly AttributeDefinition[]
  fullScore: number
  /** Every rule, with those that failed. */
  verdictsOn(failed: string[]): Verdicts
}

const mostKnownVerdicts = 1_000

export function makeRuleset(
  version: number,
  rules: readonly Rule[],
  definitions: readonly AttributeDefinition[] = [],
): Ruleset {
  // There are few sets of rules to fail, and every detail shows one.
  const known = new Map<string, Verdicts>()
  return {
    version,
    rules,
    definitions,
    fullScore: rules.reduce((sum, { points }) => sum + points, 0),
    verdictsOn(failed) {
      const key = failed.join()
      const verdicts = known.get(key) ?? rules.map((rule) => verdictOf(rule, failed))
      if (known.size < mostKnownVerdicts) known.set(key, verdicts)
      return verdicts
    },
  }
}

function verdictOf({ code, field, points, message }: Rule, failed: string[]): Verdicts[number] {
  const passed = !failed.includes(code)
  return {
    code,
    field,
    passed,
    points: passed ? points : 0,
    max_points: points,
    message: passed ? 'Fine as it is.' : message,
  }
}

export const defaultRuleset = makeRuleset(0, defaultRules)
