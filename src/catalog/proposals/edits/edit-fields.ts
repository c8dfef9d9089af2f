import { type Field, productFields } from '../../../model/fields/product-fields.ts'
import { WritableLineSchema } from '../../../model/product/product-input.schema.ts'
import { linkKinds } from '../../../model/structure/structure.schema.ts'
import { fieldHint } from '../../../platform/http/request/hints.ts'
import type { Operation } from './edit.schema.ts'

/** Where an edit changes a product: a field of its own, or one name within a group of values. */
export type Place = { group?: 'attributes' | 'links' | 'inventory'; name: string }

const fields: Record<string, Field> = productFields
const ofText: Operation[] = ['append', 'prepend', 'replace']
const inventoryNames = Object.keys(WritableLineSchema.properties.inventory.properties)
const plainNames = Object.keys(fields).filter((name) => name !== 'attributes' && name !== 'links')
const linkNames = linkKinds.map((kind) => `links.${kind}`)
const stockNames = inventoryNames.map((name) => `inventory.${name}`)
const known = new Set([...plainNames, ...linkNames, ...stockNames])

/** The place that a field of an edit names, or undefined where there is none. */
export function placeOf(field: string): Place | undefined {
  const [group = ''] = field.split('.', 1)
  const name = field.slice(group.length + 1)
  if (group === 'attributes' && name !== '') return { group, name }
  if (!known.has(field)) return undefined
  return group === 'links' || group === 'inventory' ? { group, name } : { name: field }
}

/** What to write in place of a field that there is not. */
export function unknownFieldHint(field: string): string {
  const [group = ''] = field.split('.', 1)
  if (group === 'attributes') return '; an attribute is written attributes.<name>'
  const all = [...plainNames, 'attributes.<name>', ...linkNames, ...stockNames]
  const names = group === 'links' ? linkNames : group === 'inventory' ? stockNames : all
  return fieldHint(field, Object.fromEntries(names.map((name) => [name, {}])))
}

/** What an edit may do there. */
export function operationsAt({ group, name }: Place): Operation[] {
  if (group === 'attributes') return ['set', 'clear', ...ofText, 'rename']
  if (group === 'links') return ['set', 'clear']
  if (group === 'inventory') return name === 'low_stock_threshold' ? ['set', 'clear'] : ['set']
  const { input, cell, default: value } = fields[name] as Field
  return [
    // One SKU for many products would be a duplicate from the second product on.
    ...(name === 'sku' ? [] : (['set'] as const)),
    ...(value === undefined ? [] : (['clear'] as const)),
    ...(cell === 'text' && !('enum' in input) ? ofText : []),
    ...(cell === 'number' ? (['multiply', 'add'] as const) : []),
    ...(cell === 'names' ? (['add_categories', 'remove_categories'] as const) : []),
  ]
}

/** What a cleared place has: the default of its field, or null, which removes a value from its group. */
export function clearedValue({ group, name }: Place): unknown {
  return group === undefined ? structuredClone(fields[name]?.default) : null
}
