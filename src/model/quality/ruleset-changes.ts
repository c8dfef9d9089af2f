import { isDeepStrictEqual } from 'node:util'
import type { Change, ChangeAuthor, ChangedObject } from '../events/record-events.sql.ts'
import { areSameRules, shownRules } from './complete-rules.ts'
import type { StoredRuleset } from './ruleset.ts'

/** Attributes and views have names instead of IDs, and there is only one set of rules. */
const noId = 0

/** The events for a new ruleset version: one object per attribute or view, and one for all rules. */
export function rulesetChanges(
  author: ChangeAuthor,
  version: number,
  before: StoredRuleset,
  after: StoredRuleset,
): Change[] {
  const attributes = compare(version, before.definitions, after.definitions, ({ name }) => name)
  const views = compare(
    version,
    before.views?.definitions ?? [],
    after.views?.definitions ?? [],
    ({ code }) => code,
  )
  return [
    { type: 'attribute.deleted', ...author, objects: attributes.deleted },
    { type: 'attribute.created', ...author, objects: attributes.created },
    { type: 'attribute.updated', ...author, objects: attributes.updated },
    { type: 'view.deleted', ...author, objects: views.deleted },
    { type: 'view.created', ...author, objects: views.created },
    { type: 'view.updated', ...author, objects: views.updated },
    { type: 'quality_rules.updated', ...author, objects: changedRules(version, before, after) },
  ]
}

type Compared = { deleted: ChangedObject[]; created: ChangedObject[]; updated: ChangedObject[] }

/** Compares named definitions. */
function compare<Definition extends object>(
  version: number,
  before: readonly Definition[],
  after: readonly Definition[],
  nameOf: (one: Definition) => string,
): Compared {
  const held = new Map(before.map((one) => [nameOf(one), one]))
  const wanted = new Map(after.map((one) => [nameOf(one), one]))
  return {
    deleted: before.flatMap((one) => (wanted.has(nameOf(one)) ? [] : { ...next(version), before: one })),
    created: after.flatMap((one) => (held.has(nameOf(one)) ? [] : { ...next(version), after: one })),
    updated: after.flatMap((one) => {
      const known = held.get(nameOf(one))
      return known === undefined || isDeepStrictEqual(known, one)
        ? []
        : { ...next(version), before: known, after: one }
    }),
  }
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
