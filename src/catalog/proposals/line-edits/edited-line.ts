import { isDeepStrictEqual } from 'node:util'
import { flattenGroup, nestFields } from '../../../model/fields/field-paths.ts'
import { isSameValue } from '../../../model/fields/same-value.ts'
import { contentValueAt } from '../../../model/product/product-content.ts'
import type { NewEntries } from '../../../model/provenance/entries.ts'
import type { AppliedLine } from '../../batches/apply-line.ts'
import { changedSince, patchFromChanges } from '../merge-line.ts'
import type { Changes, Conflicts, Patch, ProposedLine } from '../proposal-line.sql.ts'
import type { EditableLine, EditedContent } from './line-edit.sql.ts'

/** The fields that a patch names, such as `price` or `attributes.color`. */
function fieldsOf(patch: Patch): string[] {
  return Object.entries(patch).flatMap(
    ([name, value]) => flattenGroup(name, value)?.map(([path]) => path) ?? [name],
  )
}

/** The patch of a line after an edit: values of the edit replace those of the line. */
export function mergePatches(line: Patch, edit: Patch): Patch {
  const values = [line, edit].flatMap((patch) =>
    Object.entries(patch).flatMap(
      ([name, value]): [string, unknown][] => flattenGroup(name, value) ?? [[name, value]],
    ),
  )
  return { ...line, ...edit, ...nestFields(new Map(values)) }
}

/** What is stored for a line after an edit, from the dry run of its new patch. */
export function editedLine(
  line: EditableLine,
  edit: Patch,
  applied: AppliedLine,
  proposed: ProposedLine,
): EditedContent {
  const edited = new Set(fieldsOf(edit))
  const changes =
    line.outcome === 'created' ? (proposed.changes ?? {}) : rebase(line, edited, applied, proposed)
  const outcome = line.outcome === 'created' ? 'created' : hasFields(changes) ? 'updated' : 'unchanged'
  const left = Object.entries(line.conflicts ?? {}).filter(([field]) => !edited.has(field))
  const conflicts: Conflicts | null = left.length === 0 ? null : Object.fromEntries(left)
  const original = line.original ?? line.changes
  return {
    turn: Math.max(line.turn, proposed.turn),
    outcome,
    state: conflicts === null ? 'open' : 'conflict',
    changes,
    patch: patchFromChanges(outcome, changes),
    base_version: line.base_version === proposed.base_version ? line.base_version : null,
    categories: edited.has('categories') ? null : line.categories,
    provenance: editedEntries(line.provenance, original, changes),
    score_before: proposed.score_before,
    score_after: proposed.score_after,
    errors: conflicts && changedSince(conflicts, line.product_id ?? undefined),
    warnings: proposed.warnings,
    conflicts,
    original: isSameProposal(original, changes) ? null : original,
  }
}

/**
 * Compares with what the editor has read, so that a change that the editor did not see is a conflict: the value when the line was
 * proposed, or the value that the conflict shows. A field that the line did not change is compared with the current value.
 */
function rebase(
  { changes, conflicts }: EditableLine,
  edited: ReadonlySet<string>,
  { product }: AppliedLine,
  proposed: ProposedLine,
): Changes {
  const next = new Map(Object.entries(proposed.changes ?? {}))
  const held = new Map(Object.entries(changes))
  const fields = new Set([...held.keys(), ...next.keys(), ...edited])
  const rebased = [...fields].flatMap((field): [string, Changes[string]][] => {
    const old = held.get(field)
    const now = next.get(field)
    if (now === undefined && !edited.has(field)) return old === undefined ? [] : [[field, old]]
    const current = product === undefined ? null : (contentValueAt(product, field) ?? null)
    const after = now === undefined ? current : now.after
    const shown = edited.has(field) ? ownValue(conflicts, field)?.theirs : undefined
    const before = shown === undefined ? (old ?? now ?? { before: after }).before : shown
    return isSameValue(field, before, after) ? [] : [[field, { before, after }]]
  })
  return Object.fromEntries(rebased)
}

/** Marks the fields of a prompt whose value was edited. A restored entry belongs to its value, so an edit removes it. */
function editedEntries(
  provenance: NewEntries | null,
  original: Changes,
  changes: Changes,
): NewEntries | null {
  const entries = Object.entries(provenance ?? {}).flatMap(([field, { edited: _edited, ...entry }]) => {
    const change = ownValue(changes, field)
    if (change === undefined || change.after === null) return []
    const isEdited = !isSameValue(field, change.after, ownValue(original, field)?.after ?? null)
    if (isEdited && entry.at !== undefined) return []
    return [[field, isEdited ? { ...entry, edited: true as const } : entry] as const]
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** Whether two versions of a line write the same values. */
function isSameProposal(one: Changes, other: Changes): boolean {
  const fields = Object.keys(one)
  return (
    isDeepStrictEqual(new Set(fields), new Set(Object.keys(other))) &&
    fields.every((field) => isSameValue(field, ownValue(one, field)?.after, ownValue(other, field)?.after))
  )
}

function hasFields(changes: Changes): boolean {
  return Object.keys(changes).length > 0
}

/** An attribute can be named __proto__, but fields have the name of their group first. */
function ownValue<Value>(values: Record<string, Value> | null, field: string): Value | undefined {
  return values !== null && Object.hasOwn(values, field) ? values[field] : undefined
}
