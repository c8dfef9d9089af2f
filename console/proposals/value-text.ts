import { fieldLabel, groups, splitField } from '../../src/model/fields/field-paths.ts'
import { fieldOf } from '../../src/model/fields/product-fields.ts'
import { numberText } from '../parts/format/number-text.ts'
import { priceText } from '../parts/format/price-text.ts'
import { strings } from './strings.ts'

const any = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })

/** A product value as text; empty if there is none. */
export function lineValueText(field: string, value: unknown, currency: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return fieldOf(field)?.kind === 'price' ? priceText(value, currency) : any.format(value)
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

/** The label of a field. An attribute has the name that clients chose, and its kind: "color", "attribute". */
export function fieldName(field: string): { name: string; group?: string } {
  const [group, name] = splitField(field)
  const isChosen = name !== undefined && groups.get(group) === undefined
  return isChosen ? { name, group: 'attribute' } : { name: fieldLabel(field) }
}

/** The field that an error points to, as changes name it. Undefined for an error of the whole line. */
export function pointerField(pointer: string | undefined): string | undefined {
  const [first, second] = (pointer ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (first === undefined || first === '') return undefined
  return groups.has(first) && second !== undefined ? `${first}.${second}` : first
}
