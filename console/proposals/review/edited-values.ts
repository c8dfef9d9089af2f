import { nestFields, splitField } from '../../../src/model/fields/field-paths.ts'
import { fieldText, readNumber } from '../../parts/numbers/read-number.ts'
import type { ProposalLine } from '../../wire.ts'

export type EditableField = { field: string; kind: 'text' | 'number' | 'yes_no'; value: unknown }

/** The proposed values that the editor can change: text, numbers and yes or no. */
export function editableFields({ changes, conflicts = {}, outcome }: ProposalLine): EditableField[] {
  const fields = [...new Set([...Object.keys(conflicts), ...Object.keys(changes)])]
  return fields.flatMap((field): EditableField[] => {
    if (field === 'sku' && outcome === 'created') return []
    const { before, after } = changes[field] ?? {
      before: conflicts[field]?.theirs,
      after: conflicts[field]?.ours,
    }
    const kind = kindOf(after ?? before)
    return kind === undefined ? [] : [{ field, kind, value: after ?? null }]
  })
}

function kindOf(value: unknown): EditableField['kind'] | undefined {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'yes_no' : undefined
}

/** A value as the form shows it. */
export function formText({ kind, value }: EditableField): string {
  if (kind === 'number') return fieldText(value as number | null)
  return kind === 'yes_no' ? String(value === true) : ((value as string | null) ?? '')
}

type Read = { patch: Record<string, unknown> } | { errors: Record<string, string> }

/** The patch of an edit: changed fields, and fields in conflict, which the user has now seen. */
export function readEdit(
  fields: readonly EditableField[],
  texts: Readonly<Record<string, string>>,
  conflicts: ProposalLine['conflicts'] = {},
): Read {
  const errors: Record<string, string> = {}
  const values = fields.flatMap((one): [string, unknown][] => {
    const text = texts[one.field] ?? ''
    if (text === formText(one) && !Object.hasOwn(conflicts, one.field)) return []
    const read = readValue(one, text)
    if ('error' in read) errors[one.field] = read.error
    return 'error' in read ? [] : [[one.field, read.value]]
  })
  return Object.keys(errors).length > 0 ? { errors } : { patch: nestFields(values) }
}

function readValue(
  { field, kind, value }: EditableField,
  text: string,
): { value: unknown } | { error: string } {
  if (kind === 'yes_no') return { value: text === 'true' }
  if (text === '' && (kind === 'number' || value === null || splitField(field)[0] === 'attributes'))
    return { value: null }
  if (kind === 'text') return { value: text }
  const read = readNumber(text)
  return 'error' in read ? read : { value: read.number }
}
