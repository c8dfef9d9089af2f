import { nestFields, splitField } from '../../../src/model/fields/field-paths.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import type { Draft } from './draft.ts'
import { wireFields } from './draft-fields.ts'

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** The fields in which two drafts differ, with the value of the second draft or null. */
export function changedFields(before: Draft, after: Draft): Map<string, unknown> {
  if (before === after) return new Map()
  const [old, recent] = [wireFields(before), wireFields(after)]
  const changes = new Map<string, unknown>()
  for (const field of new Set([...old.keys(), ...recent.keys()]))
    if (!same(old.get(field) ?? null, recent.get(field) ?? null))
      changes.set(field, recent.get(field) ?? null)
  return changes
}

/** A merge patch that turns the first draft into the second. */
export function patchOf(before: Draft, after: Draft): Record<string, unknown> {
  return nestFields(changedFields(before, after))
}

/** Copies one field from the other draft. */
function takeField(target: Draft, source: Draft, field: string): Draft {
  const [group, name] = splitField(field)
  const key = group as keyof Draft
  if (name === undefined) return { ...target, [key]: source[key] }
  const { [name]: _left, ...others } = target[key] as Record<string, unknown>
  const taken = ownValue(source[key] as unknown as Record<string, unknown>, name)
  return { ...target, [key]: taken === undefined ? others : { ...others, [name]: taken } }
}

/** Applies the changes between two drafts to a third one. */
export function rebase(base: Draft, mine: Draft, onto: Draft, besides: readonly string[] = []): Draft {
  const fields = [...changedFields(base, mine).keys()].filter((field) => !besides.includes(field))
  return fields.reduce((draft, field) => takeField(draft, mine, field), onto)
}

/** A field that the user changed. `isConflict` if another user changed it to a different value. */
export type Side = { field: string; isConflict: boolean }

export function compareSides(base: Draft, theirs: Draft, mine: Draft): Side[] {
  const byThem = changedFields(base, theirs)
  return [...changedFields(base, mine)]
    .map(([field, value]) => ({
      field,
      isConflict: byThem.has(field) && !same(byThem.get(field), value),
    }))
    .sort((left, right) => Number(right.isConflict) - Number(left.isConflict))
}
