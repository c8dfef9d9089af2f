import { groups } from './field-paths.ts'
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
    if (!groups.has(field)) compare(field, held.get(field), value)
    else {
      const [old, recent] = [entriesOf(held.get(field)), entriesOf(value)]
      for (const name of new Set([...old.keys(), ...recent.keys()]))
        compare(`${field}.${name}`, old.get(name), recent.get(name))
    }
  }
  return changes
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(Object.entries(value ?? {}))
}
