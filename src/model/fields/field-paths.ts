import { fieldEntries, fieldOf } from './product-fields.ts'
import { stockFields } from './stock-fields.ts'

/* The paths by which changes, edits and errors name fields: `price`, `attributes.color`, `links.related`, `inventory.quantity`. */

/** The fields whose values change one by one, with the names of these values. Undefined if clients choose the names. */
export const groups: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ...fieldEntries
    .filter(([, { merges }]) => merges !== 'whole')
    .map(([name, { parts }]): [string, string[] | undefined] => [name, parts && Object.keys(parts)]),
  ['inventory', Object.keys(stockFields)],
])

/** The group of a field and its name within, or the field alone. */
export function splitField(field: string): [string] | [group: string, name: string] {
  const dot = field.indexOf('.')
  return dot > 0 && groups.has(field.slice(0, dot)) ? [field.slice(0, dot), field.slice(dot + 1)] : [field]
}

/** Values by field as one body. */
export function nestFields(values: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const plain: [string, unknown][] = []
  const nested = new Map<string, [string, unknown][]>()
  for (const [field, value] of values) {
    const [group, name] = splitField(field)
    const entries = nested.get(group)
    if (name === undefined) plain.push([group, value])
    else if (entries === undefined) nested.set(group, [[name, value]])
    else entries.push([name, value])
  }
  // From entries, because an attribute can be named __proto__.
  for (const [group, entries] of nested) plain.push([group, Object.fromEntries(entries)])
  return Object.fromEntries(plain)
}

const partLabels = new Map<string, string>([
  ...fieldEntries.flatMap(([field, { parts = {} }]) =>
    Object.entries(parts).map(([part, label]): [string, string] => [`${field}.${part}`, label]),
  ),
  ...Object.entries(stockFields).map(([name, { label }]): [string, string] => [`inventory.${name}`, label]),
])

/** The label to show instead of the name in the API. */
export function fieldLabel(field: string): string {
  const known = fieldOf(field)?.label ?? partLabels.get(field)
  if (known !== undefined) return known
  const [group, name] = splitField(field)
  return name ?? group.charAt(0).toUpperCase() + group.slice(1).replaceAll('_', ' ')
}
