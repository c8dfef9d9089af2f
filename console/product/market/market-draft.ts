import { nestFields, splitField } from '../../../src/model/fields/field-paths.ts'
import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { numberError } from '../../parts/numbers/parse-number.ts'
import { fieldText } from '../../parts/numbers/read-number.ts'
import type { AttributeDefinition, AttributeValue, MediaItem } from '../../wire.ts'
import {
  type AttributeDraft,
  attributeDraft,
  attributeKind,
  attributeWire,
  emptyAttribute,
  isNoNumber,
  numberOr,
} from '../draft/attribute-draft.ts'
import { mediaWire } from '../draft/draft-fields.ts'
import { strings } from '../strings.ts'
import { type Shown, storedValue } from './market-values.ts'

/** A value in the form: text, an attribute, or media. Null removes the own value, so that the field falls back. */
export type MarketDraft = string | AttributeDraft | MediaItem[] | null
export type Edits = ReadonlyMap<string, MarketDraft>

const isAttribute = (field: string) => splitField(field)[0] === 'attributes'

/** A value as its control edits it. Undefined starts an empty control. */
export function draftOf(field: string, value: unknown, definition?: AttributeDefinition): MarketDraft {
  if (isAttribute(field)) {
    if (value !== undefined) return attributeDraft(value as AttributeValue)
    const kind = definition === undefined ? 'text' : attributeKind(definition)
    return emptyAttribute(kind, definition?.type === 'number')
  }
  if (field === 'media') return (value as MediaItem[] | undefined) ?? []
  return fieldOf(field)?.kind === 'price'
    ? fieldText((value as number | undefined) ?? null)
    : ((value as string | undefined) ?? '')
}

/** The value to send; null if the field falls back. */
function wireOf(field: string, draft: MarketDraft): unknown {
  if (draft === null || draft === '') return null
  if (Array.isArray(draft)) return draft.length === 0 ? null : draft.map(mediaWire)
  if (typeof draft === 'object') {
    const value = attributeWire(draft)
    return value === '' || (Array.isArray(value) && value.length === 0) ? null : value
  }
  return fieldOf(field)?.kind === 'price' ? numberOr(draft) : draft
}

/** The stored value in the format of a change. */
function storedWire(field: string, value: unknown): unknown {
  if (field === 'media' && value !== undefined) return (value as MediaItem[]).map(mediaWire)
  return value ?? null
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** The fields whose own value changes, with the new value or null. */
export function changesOf(edits: Edits, shown: Shown): Map<string, unknown> {
  const changes = new Map<string, unknown>()
  for (const [field, draft] of edits) {
    const value = wireOf(field, draft)
    if (!same(value, storedWire(field, storedValue(shown, field)))) changes.set(field, value)
  }
  return changes
}

export function patchOf(changes: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return nestFields(changes)
}

/** Errors that the form detects before it sends anything, by field. */
export function draftErrors(edits: Edits): Map<string, string> {
  const errors = new Map<string, string>()
  for (const [field, draft] of edits) {
    const found =
      typeof draft === 'string' && fieldOf(field)?.kind === 'price'
        ? numberError(draft)
        : draft !== null && typeof draft === 'object' && !Array.isArray(draft) && isNoNumber(draft)
          ? strings.attributes.invalidNumber
          : undefined
    if (found !== undefined) errors.set(field, found)
  }
  return errors
}
