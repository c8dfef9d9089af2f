import { groups, splitField } from '../../../model/fields/field-paths.ts'
import { fieldNames, fieldOf, type Operation, stockFields } from '../../../model/fields/product-fields.ts'
import { fieldHint } from '../../../platform/http/request/hints.ts'

/** Where an edit changes a product: a field of its own, or one name within a group of values. */
export type Place = { group?: string | undefined; name: string }

const plainNames = fieldNames.filter((name) => !groups.has(name))
const partNames = [...groups].flatMap(([group, names = ['<name>']]) =>
  names.map((name) => `${group}.${name}`),
)
const known = new Set<string>([...plainNames, ...partNames])

/** The place that a field of an edit names, or undefined where there is none. */
export function placeOf(field: string): Place | undefined {
  const [group, name] = splitField(field)
  if (name === undefined) return known.has(group) ? { name: group } : undefined
  const isOpen = groups.get(group) === undefined
  return (isOpen && name !== '') || known.has(field) ? { group, name } : undefined
}

/** What to write in place of a field that there is not. */
export function unknownFieldHint(field: string): string {
  const [group = ''] = field.split('.', 1)
  if (groups.has(group) && groups.get(group) === undefined) return `; an attribute is written ${group}.<name>`
  const own = groups.has(group) ? partNames.filter((name) => name.startsWith(`${group}.`)) : [...known]
  return fieldHint(field, Object.fromEntries(own.map((name) => [name, {}])))
}

/** What an edit may do there. */
export function operationsAt({ group, name }: Place): readonly Operation[] {
  if (group === 'inventory') return stockFields[name as keyof typeof stockFields].edits
  return fieldOf(group ?? name)?.edits ?? []
}

/** What a cleared place has: the default of its field, or null, which removes a value from its group. */
export function clearedValue({ group, name }: Place): unknown {
  return group === undefined ? structuredClone(fieldOf(name)?.default) : null
}
