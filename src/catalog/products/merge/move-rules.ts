import type { ChangeAuthor } from '../../../model/events/record-events.sql.ts'
import type { StoredRuleset } from '../../../model/quality/ruleset.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { changeRuleset } from '../../rulesets/ruleset.sql.ts'

/** Quality rules and attribute definitions for the category apply to the other category instead. */
export async function moveRules(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  id: number,
  into: number,
): Promise<void> {
  await changeRuleset(tx, projectId, author, (current) =>
    usesCategory(current, id) ? replaceInRules(current, id, into) : current,
  )
}

function usesCategory({ rules, definitions }: StoredRuleset, id: number): boolean {
  return (
    definitions.some(({ required_for }) => required_for?.categories.includes(id) === true) ||
    rules?.some(({ categories }) => categories?.includes(id) === true) === true
  )
}

function replaceInRules(
  { rules, definitions, views }: StoredRuleset,
  id: number,
  into: number,
): StoredRuleset {
  const replaceId = (ids: number[]) => [...new Set(ids.map((one) => (one === id ? into : one)))]
  return {
    rules:
      rules?.map((rule) => (rule.categories ? { ...rule, categories: replaceId(rule.categories) } : rule)) ??
      null,
    definitions: definitions.map((definition) => {
      const { required_for } = definition
      if (required_for === null) return definition
      return {
        ...definition,
        required_for: { ...required_for, categories: replaceId(required_for.categories) },
      }
    }),
    views,
  }
}
