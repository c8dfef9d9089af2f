import { fieldLabel, groups, splitField } from '../../src/model/fields/field-paths.ts'
import { fieldOf } from '../../src/model/fields/product-fields.ts'
import { fieldInMarket, labelIn, marketLabel } from '../markets/labels.ts'
import { numberText } from '../parts/format/number-text.ts'
import { priceText } from '../parts/format/price-text.ts'
import type { Market } from '../wire.ts'
import { strings } from './strings.ts'

const any = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })

/** A product value as text; empty if there is none. */
export function lineValueText(field: string, value: unknown, currency: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return fieldOf(innerField(field))?.kind === 'price' ? priceText(value, currency) : any.format(value)
  if (typeof value === 'boolean') return value ? strings.change.yes : strings.change.no
  if (Array.isArray(value)) return value.map((one) => lineValueText(field, one, currency)).join(', ')
  return typeof value === 'object' ? thingText(value) : String(value)
}

type Thing = {
  name?: string
  path?: string[]
  sku?: string
  id?: number | null
  quantity?: number
  url?: string
  alt?: string
  option?: string
}

/** A category by name, a product by SKU, media by URL. */
function thingText(thing: Thing): string {
  if (thing.url !== undefined) return thing.alt ? `${thing.url} (${thing.alt})` : thing.url
  if (thing.sku !== undefined) {
    const option = thing.option === undefined ? '' : `${thing.option}: `
    return `${option}${thing.sku}${thing.quantity === undefined ? '' : ` × ${numberText(thing.quantity)}`}`
  }
  if (thing.path !== undefined) return thing.path.join(' › ')
  return thing.name ?? JSON.stringify(thing)
}

/** The field without the language or market that it is in: `price` for `views.at.price`. */
export function innerField(field: string): string {
  return fieldInMarket(field)?.field ?? field
}

/**
 * The label of a field. An attribute has the name that clients chose, and its kind: "color", "attribute". A field in a
 * language or market has its label, too.
 */
export function fieldName(field: string, markets: readonly Market[] = []): { name: string; group?: string } {
  const inside = fieldInMarket(field)
  if (inside !== undefined) {
    const { name, group } = fieldName(inside.field)
    const place = strings.line.inMarket(marketLabel(inside.code, markets))
    return { name, group: group === undefined ? place : `${group}, ${place}` }
  }
  const [group, name] = splitField(field)
  const isChosen = name !== undefined && groups.get(group) === undefined
  return isChosen ? { name, group: 'attribute' } : { name: fieldLabel(field) }
}

/** The label of a field in one text: "color", "Name (German)". */
export function lineFieldLabel(field: string, markets: readonly Market[]): string {
  return fieldInMarket(field) === undefined ? fieldName(field).name : labelIn(field, markets)
}

/** The field that an error points to, as changes name it. Undefined for an error of the whole line. */
export function pointerField(pointer: string | undefined): string | undefined {
  const parts = (pointer ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [first, second] = parts
  if (first === undefined || first === '') return undefined
  const path = parts.slice(0, parts[2] === 'attributes' ? 4 : 3).join('.')
  if (first === 'views' && fieldInMarket(path) !== undefined) return path
  return groups.has(first) && second !== undefined ? `${first}.${second}` : first
}
