import { ProblemError } from '../network.ts'
import { asSentence } from '../parts/problem.tsx'
import type { EditDraft } from './edit-draft.ts'

/** Faults by the field of the dialog that they stand at, such as `edits.0.value`; the error where some found none. */
export function editFaults(
  error: Error,
  drafts: EditDraft[],
): { atFields: Record<string, string>; left: Error | undefined } {
  if (!(error instanceof ProblemError)) return { atFields: {}, left: error }
  const atFields: Record<string, string> = {}
  let found = 0
  for (const { pointer = '', message } of error.faults) {
    const field = fieldAt(pointer, drafts)
    if (field === undefined) continue
    atFields[field] ??= asSentence(message)
    found += 1
  }
  return { atFields, left: found > 0 && found === error.faults.length ? undefined : error }
}

function fieldAt(pointer: string, drafts: EditDraft[]): string | undefined {
  const [, place, index = '', part = '', inner = ''] = pointer.split('/')
  if (place === 'title') return 'title'
  const draft = drafts[Number(index)]
  if (place !== 'edits' || index === '' || draft === undefined) return undefined
  if (part === 'value' && draft.op === 'replace')
    return `edits.${index}.${inner === 'with' ? 'with' : 'find'}`
  if (part === 'field' && draft.field === 'attribute') return `edits.${index}.attribute`
  return part === 'field' || part === 'op' ? `edits.${index}.${part}` : `edits.${index}.value`
}
