import { fieldEntries, fieldOf } from './product-fields.ts'
import { stockFields } from './stock-fields.ts'
import { codeOfViewKey, flattenView, nestViews, readViewPath, viewKey } from './view-paths.ts'

/*
 * The paths by which changes, edits and errors name fields: `price`, `attributes.color`, `links.related`, `inventory.quantity`,
 * `views.de.name`.
 */

/** The group of the values in views. */
const views = 'views'

/** The fields whose values change one by one, with the names of these values. Undefined if clients choose the names. */
export const groups: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ...fieldEntries
    .filter(([, { merges }]) => merges !== 'whole')
    .map(([name, { parts }]): [string, string[] | undefined] => [name, parts && Object.keys(parts)]),
  ['inventory', Object.keys(stockFields)],
  [views, undefined],
])

/** The group of a field and its name within, or the field alone. */
export function splitField(field: string): [string] | [group: string, name: string] {
  const dot = field.indexOf('.')
  return dot > 0 && groups.has(field.slice(0, dot)) ? [field.slice(0, dot), field.slice(dot + 1)] : [field]
}

/** The values of a field by path: one, or one per name in a group. Undefined if the field has no group. */
export function flattenGroup(field: string, value: unknown): [path: string, value: unknown][] | undefined {
  const entries = () => Object.entries(value ?? {})
  if (codeOfViewKey(field) !== undefined) return [...flattenView(field, value as object | null)]
  if (!groups.has(field)) return undefined
  if (field !== views) return entries().map(([name, one]) => [`${field}.${name}`, one])
  return entries().flatMap(([code, one]) => [...flattenView(viewKey(code), one as object | null)])
}

/** The JSON pointer to a field in a body. */
export function fieldPointer(field: string): string {
  const path = readViewPath(field)
  const names =
    path === undefined
      ? splitField(field)
      : [views, path.code, path.field, ...(path.key === undefined ? [] : [path.key])]
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
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
  for (const [group, entries] of nested)
    plain.push([group, group === views ? nestViews(entries) : Object.fromEntries(entries)])
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
  const path = readViewPath(field)
  if (path !== undefined) return `${path.key ?? fieldLabel(path.field)} (${path.code})`
  const [group, name] = splitField(field)
  return name ?? group.charAt(0).toUpperCase() + group.slice(1).replaceAll('_', ' ')
}
