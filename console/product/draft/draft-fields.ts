import type { Kind } from '../../../src/model/fields/field.ts'
import { groups } from '../../../src/model/fields/field-paths.ts'
import { fieldEntries } from '../../../src/model/fields/product-fields.ts'
import type { MediaItem } from '../../wire.ts'
import { attributeWire, numberOr } from './attribute-draft.ts'
import type { CategoryDraft, ComponentDraft, Draft, ReferenceDraft } from './draft.ts'

/** Product values, with grouped fields flattened. */
export function flatFields(values: object): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [field, value] of Object.entries(values)) {
    if (!groups.has(field)) fields.set(field, value)
    else for (const [name, one] of Object.entries(value ?? {})) fields.set(`${field}.${name}`, one)
  }
  return fields
}

const numberOrNull = (text: string) => (text.trim() === '' ? null : numberOr(text))
const referenceWire = ({ id, sku }: ReferenceDraft) => (id === null ? { sku } : { id })

function categoryWire(category: CategoryDraft) {
  if ('id' in category) return { id: category.id }
  const [name, ...below] = category.path
  return below.length === 0 ? { name } : { path: category.path }
}

function componentWire({ quantity, choice, isDefault, ...other }: ComponentDraft) {
  return {
    ...referenceWire(other),
    quantity: numberOr(quantity),
    ...(choice !== '' && { choice }),
    ...(isDefault && { default: true }),
  }
}

/** An uploaded file by its ID, any other by its URL. */
export function mediaWire({ asset, url, kind, alt, title }: MediaItem) {
  return asset === undefined ? { url, kind, alt, title } : { asset, alt, title }
}

/** A value that is replaced as a whole. */
function wireValue(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'price':
      return numberOrNull(value as string)
    case 'categories':
      return (value as CategoryDraft[]).map(categoryWire)
    case 'product':
      return value && referenceWire(value as ReferenceDraft)
    case 'components':
      return (value as ComponentDraft[]).map(componentWire)
    case 'media':
      return (value as MediaItem[]).map(mediaWire)
    default:
      return value
  }
}

/** The entries of a field that merges by key or path. */
function wireParts(kind: Kind, values: object): [string, unknown][] {
  if (kind === 'attributes')
    return Object.entries(values as Draft['attributes']).map(([key, value]) => [key, attributeWire(value)])
  return Object.entries(values as Draft['links']).map(([part, list]) => [
    part,
    list.length === 0 ? null : list.map(referenceWire),
  ])
}

/** The draft field by field, in the format of the API. */
export function wireFields({ inventory, ...draft }: Draft): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [name, { kind, merges }] of fieldEntries) {
    const value = draft[name]
    if (merges === 'whole') fields.set(name, wireValue(kind, value))
    else for (const [key, one] of wireParts(kind, value as object)) fields.set(`${name}.${key}`, one)
  }
  const { tracked, backorders, low_stock_threshold, quantity, reserved } = inventory
  fields.set('inventory.tracked', tracked).set('inventory.backorders', backorders)
  fields.set('inventory.low_stock_threshold', numberOrNull(low_stock_threshold))
  for (const [name, level] of Object.entries({ quantity, reserved }))
    if (level.trim() !== '') fields.set(`inventory.${name}`, numberOr(level))
  return fields
}
