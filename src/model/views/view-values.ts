import { escapePointer } from '../../platform/http/body/json-scan.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import type { FieldValues } from '../fields/field-schemas.ts'
import { fieldOf } from '../fields/product-fields.ts'
import { isKeyed, sourcesKey, type ViewKey, viewKey } from '../fields/view-paths.ts'

type ViewField = 'name' | 'description' | 'short_description' | 'attributes' | 'media' | 'price' | 'status'

/** What a product has in a view. `sources` has the fingerprint of the source of each text, by field. */
export type ViewValues = { [Field in ViewField]?: NonNullable<FieldValues[Field]> } & {
  sources?: Record<string, string>
}

/** The views of a product are part of its content, one field per view. Null if a change removed all values. */
export type ViewContent = { [Key in ViewKey]?: ViewValues | null }

/** Values that a write sets in a view. Null makes a field, or all fields, fall back. */
type ViewPatch = { [Field in keyof ViewValues]?: ViewValues[Field] | null }
export type ViewsPatch = Record<string, ViewPatch | null>

/** Null and empty values are never stored: the field falls back. */
function fallsBack(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The values of a view after a write; null if there are none left. */
function mergeView(code: string, held: ViewValues | null, given: ViewPatch | null): ViewValues | null {
  if (given === null) return null
  const merged = new Map<string, unknown>(Object.entries(held ?? {}))
  for (const [field, value] of Object.entries(given)) {
    const next = isKeyed(field) ? mergeKeys(merged.get(field), value) : value
    if (fallsBack(next) || (isKeyed(field) && isEmpty(next))) merged.delete(field)
    else merged.set(field, next)
    if (isKeyed(field) && field !== sourcesKey) rejectTooMany(code, field, next)
  }
  const values = Object.fromEntries(merged) as ViewValues
  const left = withoutSources(values)
  return isEmpty(left) ? null : values
}

export function withoutSources({ sources: _sources, ...values }: ViewValues): Omit<ViewValues, 'sources'> {
  return values
}

function mergeKeys(held: unknown, given: unknown): object | null {
  if (given === null) return null
  const merged = new Map(Object.entries(held ?? {}))
  for (const [name, value] of Object.entries(given as object)) {
    if (fallsBack(value)) merged.delete(name)
    else merged.set(name, value)
  }
  // From entries, because an attribute can be named __proto__.
  return Object.fromEntries(merged)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function rejectTooMany(code: string, field: string, value: unknown): void {
  const most = fieldOf(field)?.maxKeys
  const count = Object.keys(value ?? {}).length
  if (most === undefined || count <= most) return
  const error: InputError = {
    pointer: `/views/${escapePointer(code)}/${field}`,
    code: 'too_many',
    message: `a product can have at most ${most} ${field} in a view; this one would have ${count}`,
  }
  throw new Problem('invalid_body', { errors: [error] })
}

/** The content of views after a write. Only views that the write names are in it. */
export function patchViews(
  content: ViewContent,
  patch: ViewsPatch = {},
  removed: Record<string, null> = {},
): ViewContent {
  const patched: ViewContent = {}
  for (const code of Object.keys(removed)) patched[viewKey(code)] = null
  for (const [code, given] of Object.entries(patch)) {
    const held = content[viewKey(code)] ?? null
    const next = mergeView(code, held, given)
    if (next !== null || held !== null) patched[viewKey(code)] = next
  }
  return patched
}

/** The content of views after a write that replaces all of them. */
export function replaceViews(content: ViewContent, views: ViewsPatch): ViewContent {
  const held = [...viewsIn(content)].map(([code]): [string, null] => [code, null])
  return patchViews({}, views, Object.fromEntries(held))
}

/* How the views of a product are stored: by column, then by view. */

type Stored = Record<string, Partial<ViewValues>> | null
export type StoredViewValues = { views: Stored; view_offers: Stored }

export function viewContentOf({ views, view_offers }: StoredViewValues): ViewContent {
  const content: ViewContent = {}
  for (const stored of [views, view_offers])
    for (const [code, values] of Object.entries(stored ?? {}))
      content[viewKey(code)] = { ...content[viewKey(code)], ...values }
  return content
}

/** The views in a content, with their values. */
export function* viewsIn(content: object): Generator<[code: string, values: ViewValues]> {
  for (const key in content)
    if (key.startsWith('views.')) {
      const values = (content as ViewContent)[key as ViewKey]
      if (values != null) yield [key.slice('views.'.length), values]
    }
}

/** What a column stores; null if no view has a value in it. */
export function storedViews(content: object): StoredViewValues {
  const stored = { views: new Map<string, object>(), view_offers: new Map<string, object>() }
  for (const [code, values] of viewsIn(content)) {
    const columns = { views: [] as [string, unknown][], view_offers: [] as [string, unknown][] }
    for (const entry of Object.entries(values)) columns[fieldOf(entry[0])?.viewColumn ?? 'views'].push(entry)
    for (const name of ['views', 'view_offers'] as const)
      if (columns[name].length > 0) stored[name].set(code, Object.fromEntries(columns[name]))
  }
  const asColumn = (column: Map<string, object>) => (column.size === 0 ? null : Object.fromEntries(column))
  return { views: asColumn(stored.views), view_offers: asColumn(stored.view_offers) } as StoredViewValues
}
