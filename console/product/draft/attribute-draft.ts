import { fieldText, readNumber } from '../../parts/numbers/read-number.ts'
import type { AttributeDefinition, AttributeScalar, AttributeValue } from '../../wire.ts'
import { strings } from '../strings.ts'

export type AttributeKind = 'text' | 'number' | 'boolean' | 'several'

/** The value of an attribute while it is edited: a number is the text that somebody types. */
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

export function kindOf({ type, multiple }: AttributeDefinition): AttributeKind {
  if (multiple) return 'several'
  return type === 'number' || type === 'boolean' ? type : 'text'
}

/** As it is sent. What is no number is sent as it was typed, so that the service says what is wrong with it. */
export function attributeWire(draft: AttributeDraft): AttributeValue {
  if (draft.kind === 'boolean') return draft.isTrue
  if ('text' in draft) return draft.kind === 'number' ? numberOr(draft.text) : draft.text
  // A list may hold values of several types: those that were there stay what they were.
  return draft.texts.map(
    (text) =>
      draft.originals.find((original) => scalarText(original) === text) ??
      (draft.isNumeric ? numberOr(text) : text),
  )
}

/** Text in a number would be taken by the service, as a text: that is never meant. */
export function isNoNumber(draft: AttributeDraft): boolean {
  const value = attributeWire(draft)
  if (draft.kind === 'number') return typeof value === 'string'
  return draft.kind === 'several' && draft.isNumeric && [value].flat().some((one) => typeof one === 'string')
}

export function numberOr(text: string): number | string {
  const read = readNumber(text)
  return 'number' in read ? read.number : text
}
