import { fieldText, readNumber } from '../../parts/numbers/read-number.ts'
import type { AttributeDefinition, AttributeScalar, AttributeValue } from '../../wire.ts'
import { strings } from '../strings.ts'

export type AttributeKind = 'text' | 'number' | 'boolean' | 'several'

/** The value of an attribute in the form. Numbers are stored as typed text. */
export type AttributeDraft =
  | { kind: 'text' | 'number'; text: string }
  | { kind: 'boolean'; isTrue: boolean }
  | { kind: 'several'; texts: string[]; isNumeric: boolean; originals: AttributeScalar[] }

export const attributeKinds: { value: AttributeKind; label: string }[] = [
  { value: 'text', label: strings.attributes.kinds.text },
  { value: 'number', label: strings.attributes.kinds.number },
  { value: 'boolean', label: strings.attributes.kinds.boolean },
  { value: 'several', label: strings.attributes.kinds.several },
]

export function attributeDraft(value: AttributeValue): AttributeDraft {
  if (typeof value === 'boolean') return { kind: 'boolean', isTrue: value }
  if (typeof value === 'number') return { kind: 'number', text: fieldText(value) }
  if (typeof value === 'string') return { kind: 'text', text: value }
  const isNumeric = value.every((one) => typeof one === 'number')
  return { kind: 'several', texts: value.map(scalarText), isNumeric, originals: value }
}

const scalarText = (value: AttributeScalar) => (typeof value === 'number' ? fieldText(value) : String(value))

export function emptyAttribute(kind: AttributeKind, isNumeric = false): AttributeDraft {
  if (kind === 'boolean') return { kind, isTrue: false }
  if (kind === 'several') return { kind, texts: [], isNumeric, originals: [] }
  return { kind, text: '' }
}

export function attributeKind({ type, multiple }: AttributeDefinition): AttributeKind {
  if (multiple) return 'several'
  return type === 'number' || type === 'boolean' ? type : 'text'
}

/** The value to send. Text that is not a number is sent as typed, so that the service reports the error. */
export function attributeWire(draft: AttributeDraft): AttributeValue {
  if (draft.kind === 'boolean') return draft.isTrue
  if ('text' in draft) return draft.kind === 'number' ? numberOr(draft.text) : draft.text
  // A list can hold values of several types. Existing values keep their type.
  return draft.texts.map(
    (text) =>
      draft.originals.find((original) => scalarText(original) === text) ??
      (draft.isNumeric ? numberOr(text) : text),
  )
}

/** The service would store this text as a string, which the user never intends in a number field. */
export function isNoNumber(draft: AttributeDraft): boolean {
  const value = attributeWire(draft)
  if (draft.kind === 'number') return typeof value === 'string'
  return draft.kind === 'several' && draft.isNumeric && [value].flat().some((one) => typeof one === 'string')
}

export function numberOr(text: string): number | string {
  const read = readNumber(text)
  return 'number' in read ? read.number : text
}
