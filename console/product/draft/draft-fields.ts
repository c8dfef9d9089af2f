import { groups } from '../../../src/model/fields/field-paths.ts'
import type { LinkKind } from '../../wire.ts'
import { attributeWire, numberOr } from './attribute-draft.ts'
import type { CategoryDraft, ComponentDraft, Draft, ReferenceDraft } from './draft.ts'

/** Some values of a product with those of a group one by one. */
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

/** The draft as the service would be sent it, field by field. */
export function wireFields({ attributes, links, inventory, ...draft }: Draft): Map<string, unknown> {
  const plain: Record<string, unknown> = {
    ...draft,
    price: numberOrNull(draft.price),
    categories: draft.categories.map(categoryWire),
    parent: draft.parent && referenceWire(draft.parent),
    components: draft.components.map(componentWire),
  }
  const fields = new Map(Object.entries(plain))
  for (const [name, value] of Object.entries(attributes))
    fields.set(`attributes.${name}`, attributeWire(value))
  for (const kind of Object.keys(links)) {
    const list = links[kind as LinkKind].map(referenceWire)
    fields.set(`links.${kind}`, list.length === 0 ? null : list)
  }
  const { tracked, backorders, low_stock_threshold, quantity, reserved } = inventory
  fields.set('inventory.tracked', tracked).set('inventory.backorders', backorders)
  fields.set('inventory.low_stock_threshold', numberOrNull(low_stock_threshold))
  for (const [name, level] of Object.entries({ quantity, reserved }))
    if (level.trim() !== '') fields.set(`inventory.${name}`, numberOr(level))
  return fields
}
