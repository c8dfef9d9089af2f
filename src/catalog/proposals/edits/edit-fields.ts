import type { Operation } from '../../../model/fields/field.ts'
import { groups, splitField } from '../../../model/fields/field-paths.ts'
import { fieldNames, fieldOf } from '../../../model/fields/product-fields.ts'
import { stockFields } from '../../../model/fields/stock-fields.ts'
import { isSourcePath, readViewPath } from '../../../model/fields/view-paths.ts'
import { fieldHint } from '../../../platform/http/request/hints.ts'

/** What an edit changes: a field, or one name within a group of values. */
export type EditTarget = { group?: string | undefined; name: string }

const plainNames = fieldNames.filter((name) => !groups.has(name))
const partNames = [...groups].flatMap(([group, names = ['<name>']]) =>
  group === 'views' ? ['views.<code>.<field>'] : names.map((name) => `${group}.${name}`),
)
const known = new Set<string>([...plainNames, ...partNames])

/** The target of an edit, or undefined if there is no such field. */
export function targetOf(field: string): EditTarget | undefined {
  const [group, name] = splitField(field)
  if (name === undefined) return known.has(group) ? { name: group } : undefined
  if (group === 'views') return isViewField(field) ? { group, name } : undefined
  const isOpen = groups.get(group) === undefined
  return (isOpen && name !== '') || known.has(field) ? { group, name } : undefined
}

function isViewField(field: string): boolean {
  return readViewPath(field) !== undefined && !isSourcePath(field)
}

/** Suggests a field for one that does not exist. */
export function unknownFieldHint(field: string): string {
  const [group = ''] = field.split('.', 1)
  if (groups.has(group) && groups.get(group) === undefined) return `; write an attribute as ${group}.<name>`
  const own = groups.has(group) ? partNames.filter((name) => name.startsWith(`${group}.`)) : [...known]
  return fieldHint(field, Object.fromEntries(own.map((name) => [name, {}])))
}

/** The operations that a target supports. */
export function operationsAt({ group, name }: EditTarget): readonly Operation[] {
  if (group === 'inventory') return stockFields[name as keyof typeof stockFields].edits
  const path = group === 'views' ? readViewPath(`${group}.${name}`) : undefined
  // In a view, every field can fall back.
  if (path !== undefined)
    return [...new Set<Operation>([...(fieldOf(path.field)?.edits ?? []), 'clear'])].filter(
      (op) => op !== 'rename',
    )
  return fieldOf(group ?? name)?.edits ?? []
}

/** The cleared value: the default of the field, or null, which removes a value from its group. */
export function clearedValue({ group, name }: EditTarget): unknown {
  return group === undefined ? structuredClone(fieldOf(name)?.default) : null
}
