import { type FieldName, fieldNames, fieldOf, productFields } from './product-fields.ts'

/*
 * The values of a view as fields: `views.de.name`, `views.de.attributes.color`. The name of an attribute is the rest of the path, dots
 * included. The content of a product and its history have the values of a view as one field, `views.de`.
 */

const prefix = 'views.'
export const viewCodePattern = '^[a-z][a-z0-9_-]{0,31}$'
const viewCode = new RegExp(viewCodePattern)

/** The fields that can differ in views, and those that cannot. */
export const viewFields = fieldNames.filter((name) => isViewField(name))
export const commonFields = fieldNames.filter((name) => !isViewField(name))

function isViewField(name: FieldName): boolean {
  return 'viewColumn' in productFields[name]
}

/** The fingerprints of source texts, by field. The service sets them. */
export const sourcesKey = 'sources'

export type ViewKey = `views.${string}`

export function viewKey(code: string): ViewKey {
  return `views.${code}`
}

/** The code in the name of a field with all values of a view, such as `views.de`. */
export function codeOfViewKey(field: string): string | undefined {
  return field.startsWith(prefix) && !field.includes('.', prefix.length)
    ? field.slice(prefix.length)
    : undefined
}

/** One value of a view. `key` is the name of an attribute. */
export type ViewPath = { code: string; field: string; key?: string | undefined }

/** Undefined if the path does not name a value of a view. */
export function readViewPath(path: string): ViewPath | undefined {
  if (!path.startsWith(prefix)) return undefined
  const codeEnd = path.indexOf('.', prefix.length)
  const code = path.slice(prefix.length, codeEnd)
  if (codeEnd < 0 || !viewCode.test(code)) return undefined
  const inner = path.slice(codeEnd + 1)
  const dot = inner.indexOf('.')
  const field = dot < 0 ? inner : inner.slice(0, dot)
  const key = dot < 0 ? undefined : inner.slice(dot + 1)
  if (!(viewFields as string[]).includes(field) && field !== sourcesKey) return undefined
  return isKeyed(field) === (key !== undefined) && key !== '' ? { code, field, key } : undefined
}

/** Whether the values of a view field have names of their own. */
export function isKeyed(field: string): boolean {
  return field === sourcesKey || fieldOf(field)?.merges === 'by_key'
}

/** The values of a view by path; `above` is the field of the view. */
export function* flattenView(
  above: string,
  values: object | null,
): Generator<[path: string, value: unknown]> {
  for (const [field, value] of Object.entries(values ?? {})) {
    if (!isKeyed(field)) yield [`${above}.${field}`, value]
    else for (const [key, one] of Object.entries(value ?? {})) yield [`${above}.${field}.${key}`, one]
  }
}

/** The values of views, by the part of their path after `views.`, as one body. */
export function nestViews(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const views = new Map<string, Map<string, unknown>>()
  for (const [rest, value] of entries) {
    const path = readViewPath(prefix + rest)
    const code = path?.code ?? rest
    const held = views.get(code) ?? new Map<string, unknown>()
    views.set(code, held)
    if (path?.key === undefined) {
      if (path !== undefined) held.set(path.field, value)
      continue
    }
    const keyed = (held.get(path.field) ?? []) as [string, unknown][]
    held.set(path.field, [...keyed, [path.key, value]])
  }
  return Object.fromEntries([...views].map(([code, values]) => [code, asObject(values)]))
}

/** From entries, because an attribute can be named __proto__. */
function asObject(values: Map<string, unknown>): object {
  return Object.fromEntries(
    [...values].map(([field, value]) => [
      field,
      isKeyed(field) ? Object.fromEntries(value as [string, unknown][]) : value,
    ]),
  )
}

/** Whether a path is the fingerprint of a source text, which no one reads or edits. */
export function isSourcePath(path: string): boolean {
  return readViewPath(path)?.field === sourcesKey
}
