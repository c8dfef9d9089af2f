import type { BodyError } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { groups, splitField } from './field-paths.ts'
import { fieldNames } from './product-fields.ts'
import { stockFields } from './stock-fields.ts'

/** The names within each group. Stock levels are not part of a version. */
const groupNames = new Map<string, readonly string[] | undefined>([
  ...groups,
  [
    'inventory',
    Object.entries(stockFields)
      .filter(([, { isLevel }]) => !isLevel)
      .map(([name]) => name),
  ],
])
const pathsIn = (group: string) => groupNames.get(group)?.map((name) => `${group}.${name}`)
const names = [...fieldNames, 'inventory', ...[...groupNames.keys()].flatMap((group) => pathsIn(group) ?? [])]
const openNames = [...groupNames].flatMap(([group, own]) => (own === undefined ? [`${group}.<name>`] : []))

/** Errors for names that are not fields, such as `price`, `attributes.color`, or `attributes` for all of them. */
export function unknownFields(fields: readonly string[], pointer: string): BodyError[] {
  return fields.flatMap((field, index) => {
    const [group, name] = splitField(field)
    const isOpen = name !== undefined && name !== '' && groupNames.get(group) === undefined
    if (isOpen || names.includes(field)) return []
    const own = name === undefined ? undefined : pathsIn(group)
    const message = `is not a product field${suggestNames(field, own ?? [...names, ...openNames])}`
    return [{ pointer: `${pointer}/${index}`, code: 'invalid_choice', message }]
  })
}

/** Whether the list names the field itself or its group. */
export function isNamed(field: string, fields: ReadonlySet<string>): boolean {
  return fields.has(field) || fields.has(splitField(field)[0])
}
