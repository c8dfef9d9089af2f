import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { saleAttributes } from '../../../src/model/fields/sale-attributes.ts'
import { readViewPath, viewKey } from '../../../src/model/fields/view-paths.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import type { Market, ProductDetail } from '../../wire.ts'

/* Fields of a language or market by name, such as `name` and `attributes.color`. */

type Path = { field: string; key?: string | undefined }

function pathOf(field: string): Path {
  const path = readViewPath(`${viewKey('any')}.${field}`)
  return path === undefined ? { field } : { field: path.field, key: path.key }
}

function valueIn(values: object | undefined, { field, key }: Path): unknown {
  const value = values && ownValue(values as Record<string, unknown>, field)
  return key === undefined ? value : ownValue((value ?? {}) as Record<string, unknown>, key)
}

/** Everything that decides where a value comes from. */
export type Shown = {
  market: Market
  markets: readonly Market[]
  /** The product as the language or market shows it, with the stored values of all. */
  product: ProductDetail
  base: ProductDetail
}

/** The value that users see; undefined if there is none. */
export function shownValue({ product }: Shown, field: string): unknown {
  return valueIn(product, pathOf(field)) ?? undefined
}

/** The value that the language or market itself has. */
export function storedValue({ product, market }: Shown, field: string): unknown {
  return valueIn(ownValue(product.views ?? {}, market.code), pathOf(field))
}

export type Source = { value: unknown; from: string | null }

/** The value below: what a translation translates, and what the field falls back to. */
export function sourceOf({ product, base, market, markets }: Shown, field: string): Source | undefined {
  const path = pathOf(field)
  const isAmount = field === 'price' || path.key === saleAttributes.price
  const currencyOf = (code: string | null) =>
    code === null ? base.currency : markets.find((one) => one.code === code)?.currency
  for (const from of market.chain.slice(1)) {
    if (isAmount && currencyOf(from) !== market.currency) continue
    const value = from === null ? valueIn(base, path) : valueIn(ownValue(product.views ?? {}, from), path)
    if (value !== undefined && value !== null) return { value, from }
  }
  return undefined
}

/** Natural language: it has a source to translate. */
export function isText(field: string, value: unknown): boolean {
  return fieldOf(pathOf(field).field)?.isText === true && (value === undefined || typeof value === 'string')
}

/** Whether a value from there is in another language. */
export function isOtherLanguage({ market, markets }: Shown, from: string | null): boolean {
  const languageOf = (locale: string | null | undefined) => locale?.split('-')[0]?.toLowerCase()
  const own = languageOf(market.locale)
  return own !== undefined && own !== languageOf(markets.find(({ code }) => code === from)?.locale)
}

/** The attributes that the product has in the base or in the language or market. */
export function attributeNames({ base, product }: Shown): string[] {
  return [...new Set([...Object.keys(base.attributes), ...Object.keys(product.attributes)])]
}
