import { fieldNames, productFields } from '../fields/product-fields.ts'
import type { QualityScore } from '../product/product.schema.ts'
import type { Scored } from './quality-rule.ts'
import type { Ruleset } from './ruleset.ts'
import { showsCharacters } from './visible-text.ts'

/** Computed by every write: the score, and the codes of the failed rules. */
export function scoreProduct(
  product: Scored,
  { rules, fullScore }: Ruleset,
): { score: number; failed: string[] } {
  const failed: string[] = []
  let lost = 0
  for (const { code, points, passes } of rules) {
    if (passes(product)) continue
    failed.push(code)
    lost += points
  }
  return { score: Math.round(((fullScore - lost) / fullScore) * 100), failed }
}

/** The stored score, or a new one if another ruleset computed it, so that both scores of a change use the same rules. */
export function scoreByRuleset(
  stored: { quality_score: number; quality_ruleset: number },
  product: Scored,
  ruleset: Ruleset,
): number {
  return stored.quality_ruleset === ruleset.version
    ? stored.quality_score
    : scoreProduct(product, ruleset).score
}

/** The stored score with the result of every rule. `ruleset` is the one that computed it. */
export function explainScore(
  product: Scored,
  stored: { score: number; failed: string[]; computed_at: string },
  { version, resultsFor }: Ruleset,
): QualityScore {
  return {
    score: stored.score,
    grade: gradeOf(stored.score),
    completeness: completenessOf(product),
    computed_at: stored.computed_at,
    rules: resultsFor(stored.failed, product),
    ruleset: version,
  }
}

export function gradeOf(score: number): QualityScore['grade'] {
  if (score >= 90) return 'A'
  if (score >= 75) return 'B'
  if (score >= 60) return 'C'
  if (score >= 40) return 'D'
  return 'E'
}

const descriptive = fieldNames.filter((name) => productFields[name].isDescriptive)

function completenessOf(product: Scored): number {
  const filled = descriptive.filter((name) => isFilled(product[name]))
  return Math.round((filled.length / descriptive.length) * 100)
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return showsCharacters(value, 1)
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== null
}
