import type { BodyError } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { groups, splitField } from './field-paths.ts'
import { fieldNames } from './product-fields.ts'
import { stockFields } from './stock-fields.ts'
import { codeOfViewKey, isSourcePath, readViewPath } from './view-paths.ts'

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
const names = [
  ...fieldNames,
  'inventory',
  'views',
  ...[...groupNames.keys()].flatMap((group) => pathsIn(group) ?? []),
]
const openNames = [...groupNames].flatMap(([group, own]) => (own === undefined ? [`${group}.<name>`] : []))

/** Whether a name in a group without fixed names is valid: any attribute, but in views only what can differ. */
function isOpenName(field: string, group: string, name: string | undefined): boolean {
  if (name === undefined || name === '' || groupNames.get(group) !== undefined) return false
  if (group !== 'views') return true
  return codeOfViewKey(field) !== undefined || (readViewPath(field) !== undefined && !isSourcePath(field))
}

/** Errors for names that are not fields, such as `price`, `attributes.color`, or `attributes` for all of them. */
export function unknownFields(fields: readonly string[], pointer: string): BodyError[] {
  return fields.flatMap((field, index) => {
    const [group, name] = splitField(field)
    if (isOpenName(field, group, name) || names.includes(field)) return []
    const own = name === undefined ? undefined : pathsIn(group)
    const message = `is not a product field${suggestNames(field, own ?? [...names, ...openNames])}`
    return [{ pointer: `${pointer}/${index}`, code: 'invalid_choice', message }]
  })
}

/** Whether the list names the field itself or its group. */
export function isNamed(field: string, fields: ReadonlySet<string>): boolean {
  const path = readViewPath(field)
  if (fields.has(field) || fields.has(splitField(field)[0])) return true
  // A fingerprint belongs to its text.
  return (
    path !== undefined &&
    (fields.has(`views.${path.code}`) ||
      (isSourcePath(field) && fields.has(`views.${path.code}.${path.key}`)))
  )
}
