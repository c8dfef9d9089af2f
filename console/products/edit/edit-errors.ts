import { ProblemError } from '../../network.ts'
import { numberError } from '../../parts/numbers/parse-number.ts'
import { asSentence } from '../../parts/problem.tsx'
import { strings } from '../strings.ts'
import { isCalculated } from './calculations.ts'
import { type EditDraft, fieldKind, isNumeric } from './edit-draft.ts'
import { isOwnRounding } from './round-draft.ts'

/** Errors by dialog field, such as `edits.0.value`. */
type AtFields = Record<string, string>

/** Errors that the dialog detects itself. */
export function findMissing(drafts: EditDraft[]): AtFields {
  return Object.fromEntries(
    drafts.flatMap((draft, index) => {
      const { field, op, attribute, find, value, categories } = draft
      const at = (name: string, words: string) => [[`edits.${index}.${name}`, words]]
      if (field === 'attribute' && attribute.trim() === '')
        return at('attribute', strings.edit.errors.attribute)
      if (op === 'replace' && find === '') return at('find', strings.edit.errors.find)
      if (op === 'rename' && value.trim() === '') return at('value', strings.edit.errors.newName)
      if (fieldKind(field) === 'categories' && categories.length === 0)
        return at('value', strings.edit.errors.category)
      if (!isNumeric(draft)) return []
      const isRounded = isCalculated(op) && isOwnRounding(draft.round)
      return [
        ...numberErrors(value, (words) => at('value', words)),
        ...(isRounded ? numberErrors(draft.round.amount, (words) => at('round', words)) : []),
      ]
    }),
  )
}

function numberErrors<Found>(text: string, at: (words: string) => Found[]): Found[] {
  const error = text.trim() === '' ? strings.edit.errors.number : numberError(text)
  return error === undefined ? [] : at(error)
}

/** Separates the service's errors that belong to a field from the rest. */
export function sortEditErrors(
  error: Error,
  drafts: EditDraft[],
): { atFields: AtFields; left: Error | undefined } {
  if (!(error instanceof ProblemError) || error.fieldErrors.length === 0) return { atFields: {}, left: error }
  const atFields: AtFields = {}
  const left: string[] = []
  for (const { pointer = '', message } of error.fieldErrors) {
    const field = fieldAt(pointer, drafts)
    if (field !== undefined) atFields[field] ??= asSentence(message)
    else left.push(asSentence(pointer === '/filter' ? strings.edit.errors.selection(message) : message))
  }
  return { atFields, left: left.length === 0 ? undefined : new Error(left.join(' ')) }
}

function fieldAt(pointer: string, drafts: EditDraft[]): string | undefined {
  const [, place, index = '', part = '', inner = ''] = pointer.split('/')
  if (place === 'title') return 'title'
  const draft = drafts[Number(index)]
  if (place !== 'edits' || index === '' || draft === undefined) return undefined
  if (part === 'value' && draft.op === 'replace')
    return `edits.${index}.${inner === 'with' ? 'with' : 'find'}`
  if (part === 'field' && draft.field === 'attribute') return `edits.${index}.attribute`
  return part === 'field' || part === 'op' || part === 'round'
    ? `edits.${index}.${part}`
    : `edits.${index}.value`
}
