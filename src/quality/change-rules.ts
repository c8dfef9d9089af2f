import { isChecked } from '../attributes/check-attributes.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import type { ChangeAuthor } from '../events/record-events.sql.ts'
import { refuseChanged, type SentReadOnly } from '../http/request/read-only.ts'
import { checkRules } from './check-rules.ts'
import { areSameRules, completeRule, shownRules } from './complete-rules.ts'
import { defaultRules } from './default-rules.ts'
import { addedRules } from './definitions-rule.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { QualityRules } from './quality-rules.schema.ts'
import { changeRuleset, findRuleset } from './ruleset.sql.ts'
import { type StoredRuleset, serviceRuleset } from './ruleset.ts'
import { findProgress } from './scoring-job.sql.ts'

/** The rules of a version, with how far the products are scored by them. */
export async function readRules(
  database: Queryable,
  projectId: number,
  ruleset: number,
): Promise<QualityRules> {
  if (ruleset === 0)
    return { ...describeRules(ruleset, serviceRuleset), rules: [...defaultRules], progress: null }
  const stored = (await findRuleset(database, projectId, ruleset)) ?? serviceRuleset
  return { ...describeRules(ruleset, stored), progress: (await findProgress(database, projectId)) ?? null }
}

function describeRules(
  ruleset: number,
  { rules: own, definitions }: StoredRuleset,
): Omit<QualityRules, 'progress'> {
  const rules = shownRules(own)
  return { ruleset, rules, added_rules: addedRules(rules, definitions.some(isChecked)).map(completeRule) }
}

/** Puts the rules in force, as a new version unless they are in force already. Without rules the service's own come back. */
export async function changeRules(
  database: Database,
  projectId: number,
  author: ChangeAuthor,
  given: readonly QualityRule[] | null,
  sent?: SentReadOnly,
): Promise<number> {
  const work = async (tx: Transaction) => {
    if (given !== null) await checkRules(tx, projectId, given, true)
    const rules = given?.map(completeRule) ?? null
    return changeRuleset(tx, projectId, author, (current, ruleset) => {
      refuseChanged(sent, describeRules(ruleset, current))
      return areSameRules(rules, current.rules) ? current : { ...current, rules }
    })
  }
  return database.transaction(work, { project: projectId })
}
