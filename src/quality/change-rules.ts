import type { Database, Queryable, Transaction } from '../database/database.ts'
import { checkRules } from './check-rules.ts'
import { defaultRules } from './default-rules.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { QualityRules } from './quality-rules.schema.ts'
import { defaultMin, kinds } from './rule-kinds.ts'
import { changeRuleset, findRuleset } from './ruleset.sql.ts'
import { findProgress } from './scoring-job.sql.ts'

/** The rules of a version, with how far the products are scored by them. */
export async function readRules(
  database: Queryable,
  projectId: number,
  ruleset: number,
): Promise<QualityRules> {
  if (ruleset === 0) return { ruleset, rules: [...defaultRules], progress: null }
  const stored = await findRuleset(database, projectId, ruleset)
  return {
    ruleset,
    rules: (stored?.rules ?? defaultRules).map(completeRule),
    progress: (await findProgress(database, projectId)) ?? null,
  }
}

/** Puts the rules in force, as a new version unless they are in force already. Without rules the service's own come back. */
export async function changeRules(
  database: Database,
  projectId: number,
  given: readonly QualityRule[] | null,
): Promise<number> {
  const work = async (tx: Transaction) => {
    if (given !== null) await checkRules(tx, projectId, given, true)
    const rules = given?.map(completeRule) ?? null
    return changeRuleset(tx, projectId, (current) =>
      isSame(rules, current.rules) ? current : { ...current, rules },
    )
  }
  return database.transaction(work, { project: projectId })
}

function isSame(rules: QualityRule[] | null, current: readonly QualityRule[] | null): boolean {
  const [one, other] = [rules, current].map((some) =>
    JSON.stringify((some ?? defaultRules).map(completeRule)),
  )
  return one === other
}

/** A rule in full and in one order, as it is kept and shown: the same whether its defaults were written or left out. */
function completeRule(rule: QualityRule): QualityRule {
  const { code, kind, field, attribute, min, max, pattern, points, product_types, categories } = rule
  const { takes = [], sentence } = kinds[kind]
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
    message: rule.message ?? sentence(rule),
  }
}
