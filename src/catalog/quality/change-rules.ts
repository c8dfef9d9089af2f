import { isChecked } from '../../model/attributes/check-attributes.ts'
import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import { areSameRules, completeRule, shownRules } from '../../model/quality/complete-rules.ts'
import { defaultRules } from '../../model/quality/default-rules.ts'
import { addedRules } from '../../model/quality/definitions-rule.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import { type StoredRuleset, serviceRuleset } from '../../model/quality/ruleset.ts'
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { rejectChangedReadOnly, type SentReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { changeRuleset, findRuleset } from '../rulesets/ruleset.sql.ts'
import { checkRules } from './check-rules.ts'
import type { QualityRules } from './quality-rules.schema.ts'
import { findProgress } from './scoring-job.sql.ts'

/** The rules of a version, with the scoring progress. */
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

/** Creates a new ruleset version unless the rules are already in force. Null restores the default rules. */
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
      rejectChangedReadOnly(sent, describeRules(ruleset, current))
      return areSameRules(rules, current.rules) ? current : { ...current, rules }
    })
  }
  return database.transaction(work, { project: projectId })
}
