import { isDeepStrictEqual } from 'node:util'
import type { AttributeDefinition } from '../attributes/attribute-definition.schema.ts'
import type { Change, ChangeAuthor, ChangedObject } from '../events/record-events.sql.ts'
import { areSameRules, shownRules } from './complete-rules.ts'
import type { StoredRuleset } from './ruleset.ts'

/** Attributes have names instead of IDs, and there is only one set of rules. */
const noId = 0

/** The events for a new ruleset version: one object per attribute, and one for all rules. */
export function rulesetChanges(
  author: ChangeAuthor,
  version: number,
  before: StoredRuleset,
  after: StoredRuleset,
): Change[] {
  const held = byName(before.definitions)
  const wanted = byName(after.definitions)
  const deleted: ChangedObject[] = [...held.values()].flatMap((one) =>
    wanted.has(one.name) ? [] : { ...next(version), before: one },
  )
  const created: ChangedObject[] = [...wanted.values()].flatMap((one) =>
    held.has(one.name) ? [] : { ...next(version), after: one },
  )
  const updated: ChangedObject[] = [...wanted.values()].flatMap((one) => {
    const known = held.get(one.name)
    return known === undefined || isDeepStrictEqual(known, one)
      ? []
      : { ...next(version), before: known, after: one }
  })
  return [
    { type: 'attribute.deleted', ...author, objects: deleted },
    { type: 'attribute.created', ...author, objects: created },
    { type: 'attribute.updated', ...author, objects: updated },
    { type: 'quality_rules.updated', ...author, objects: changedRules(version, before, after) },
  ]
}

function byName(definitions: readonly AttributeDefinition[]): Map<string, AttributeDefinition> {
  return new Map(definitions.map((one) => [one.name, one]))
}

function next(version: number): ChangedObject {
  return { id: noId, version: version + 1 }
}

function changedRules(version: number, before: StoredRuleset, after: StoredRuleset): ChangedObject[] {
  if (areSameRules(before.rules, after.rules)) return []
  return [
    {
      ...next(version),
      before: { ruleset: version, rules: shownRules(before.rules) },
      after: { ruleset: version + 1, rules: shownRules(after.rules) },
    },
  ]
}
