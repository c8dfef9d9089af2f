import { hash } from 'node:crypto'
import type { FieldValues } from '../fields/field-schemas.ts'
import { fieldOf } from '../fields/product-fields.ts'
import { saleAttributes } from '../fields/sale-attributes.ts'
import { isKeyed, viewFields, viewKey } from '../fields/view-paths.ts'
import { componentTypes } from '../structure/check-structure.ts'
import type { ViewContent, ViewValues } from './view-values.ts'
import type { View, Views } from './views.ts'

/** A product with its values in the base and in views. */
export type ViewedContent = Pick<
  FieldValues,
  'name' | 'description' | 'short_description' | 'attributes' | 'media' | 'price' | 'status' | 'product_type'
> &
  ViewContent

type Path = { field: string; key?: string | undefined }

function pathOf(field: string): Path {
  const dot = field.indexOf('.')
  return dot < 0 ? { field } : { field: field.slice(0, dot), key: field.slice(dot + 1) }
}

export function nameOf({ field, key }: Path): string {
  return key === undefined ? field : `${field}.${key}`
}

/** Amounts are valid only in the currency of the view that has them. */
function isAmount({ field, key }: Path): boolean {
  return field === 'price' || key === saleAttributes.price
}

function valueAt(values: object | null | undefined, { field, key }: Path): unknown {
  const value = ownValue(values, field)
  return key === undefined ? value : ownValue(value as object | undefined, key)
}

/** An attribute can be named like a property that every object inherits. */
function ownValue(values: object | null | undefined, name: string): unknown {
  return values != null && Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined
}

type Found = { value: unknown; from: string | null }

/** The first value in the chain of a view, then in the base (`from` null). The search starts at a place in the chain. */
function findValue(
  content: ViewedContent,
  view: View,
  views: Views,
  path: Path,
  start = 0,
): Found | undefined {
  const fits = (currency: string) => !isAmount(path) || currency === view.currency
  for (const code of view.chain.slice(start)) {
    if (!fits((views.byCode.get(code) as View).currency)) continue
    const value = valueAt(content[viewKey(code)], path)
    if (value !== undefined) return { value, from: code }
  }
  if (!fits(views.currency)) return undefined
  const value = valueAt(content, path)
  return value === undefined || value === null ? undefined : { value, from: null }
}

/** What the values of a view are written from: the first values below it in its chain. */
export function resolveSource(content: ViewedContent, view: View, views: Views): ResolvedView['values'] {
  return resolveView(content, { ...view, chain: view.chain.slice(1) }, views).values
}

/** Natural language has a source. Numbers, and lists of choices, do not become stale. */
function isText({ field }: Path, value: unknown): boolean {
  return fieldOf(field)?.isText === true && typeof value === 'string'
}

/** A 64-bit hash of the text from which a value of the view was written: the first text below it in the chain. */
export function sourceFingerprint(content: ViewedContent, view: View, views: Views, field: string): string {
  const source = findValue(content, view, views, pathOf(field), 1)?.value ?? ''
  return hash('sha256', typeof source === 'string' ? source : JSON.stringify(source), 'hex').slice(0, 16)
}

/** The fields that a view has values of. */
export function* pathsIn(values: ViewValues | null | undefined): Generator<Path> {
  for (const field of viewFields) {
    const value = ownValue(values, field)
    if (value === undefined) continue
    if (isKeyed(field)) for (const key of Object.keys(value as object)) yield { field, key }
    else yield { field }
  }
}

export function isTextOf(values: ViewValues | null | undefined, path: Path): boolean {
  return isText(path, valueAt(values, path))
}

/** Whether the source of a text has changed since the text was written. */
export function isStale(content: ViewedContent, view: View, views: Views, path: Path): boolean {
  const values = content[viewKey(view.code)]
  if (!isText(path, valueAt(values, path))) return false
  const name = nameOf(path)
  const written = ownValue(values?.sources, name)
  return written !== undefined && written !== sourceFingerprint(content, view, views, name)
}

/** Configurable, grouped and bundle products without a price get it from other products. */
function isPricedByOthers({ product_type, price }: ViewedContent): boolean {
  return price === null && !componentTypes.includes(product_type)
}

/** The required fields without a value. A base value counts only for amounts, because it is not a translation. */
export function missingFields(content: ViewedContent, view: View, views: Views): string[] {
  return view.requires.filter((field) => {
    if (field === 'price' && isPricedByOthers(content)) return false
    const path = pathOf(field)
    const found = findValue(content, view, views, path)
    return found === undefined || (found.from === null && !isAmount(path))
  })
}

/** The first status in the chain. A product that is archived is archived everywhere. */
export function statusIn(content: ViewedContent, { chain }: View): ViewedContent['status'] {
  if (content.status === 'archived') return content.status
  for (const code of chain) {
    const status = content[viewKey(code)]?.status
    if (status !== undefined) return status
  }
  return content.status
}

export type ResolvedView = {
  values: Pick<
    ViewedContent,
    'name' | 'description' | 'short_description' | 'attributes' | 'media' | 'price' | 'status'
  >
  /** The view that a value comes from. A field of the base is left out. */
  from: Record<string, string>
  missing: string[]
  stale: string[]
}

/** A product as a view shows it. */
export function resolveView(content: ViewedContent, view: View, views: Views): ResolvedView {
  const from = new Map<string, string>()
  const stale: string[] = []
  const find = (path: Path) => {
    const found = findValue(content, view, views, path)
    if (found?.from == null) return found?.value
    const name = nameOf(path)
    from.set(name, found.from)
    if (isStale(content, views.byCode.get(found.from) as View, views, path)) stale.push(name)
    return found.value
  }
  const values: Record<string, unknown> = {}
  for (const field of viewFields) values[field] = isKeyed(field) ? findKeys(field) : (find({ field }) ?? null)
  function findKeys(field: string): object {
    const sides = [content, ...view.chain.map((code) => content[viewKey(code)])]
    const keys = new Set(sides.flatMap((side) => Object.keys(ownValue(side, field) ?? {})))
    return Object.fromEntries(
      [...keys].map((key) => [key, find({ field, key })]).filter(([, value]) => value !== undefined),
    )
  }
  // A product that is archived is archived everywhere.
  if (content.status === 'archived') {
    values['status'] = content.status
    from.delete('status')
  }
  return {
    values: values as ResolvedView['values'],
    from: Object.fromEntries(from),
    missing: missingFields(content, view, views),
    stale,
  }
}
