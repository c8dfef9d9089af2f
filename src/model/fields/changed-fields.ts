import { flattenGroup } from './field-paths.ts'
import { isSameValue } from './same-value.ts'

/** A value before and after; null if there is none. */
export type FieldChange = { before: unknown; after: unknown }

/** The differences between the two sides of a change, by field. */
export function changedFields({
  before,
  after,
}: {
  before: object
  after: object
}): Map<string, FieldChange> {
  const changes = new Map<string, FieldChange>()
  const compare = (field: string, old: unknown, recent: unknown) => {
    const change = { before: old ?? null, after: recent ?? null }
    if (!isSameValue(field, change.before, change.after)) changes.set(field, change)
  }
  const held = new Map(Object.entries(before))
  for (const [field, value] of Object.entries(after)) {
    const recent = flattenGroup(field, value)
    if (recent === undefined) compare(field, held.get(field), value)
    else {
      const [old, now] = [new Map(flattenGroup(field, held.get(field))), new Map(recent)]
      for (const path of new Set([...old.keys(), ...now.keys()])) compare(path, old.get(path), now.get(path))
    }
  }
  return changes
}
