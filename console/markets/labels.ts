import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { readViewPath } from '../../src/model/fields/view-paths.ts'
import type { Market } from '../wire.ts'
import { strings } from './strings.ts'

/** The label of a language or market, or its code if it was deleted. */
export function marketLabel(code: string | null | undefined, markets: readonly Market[]): string {
  if (code == null) return strings.base
  return markets.find((market) => market.code === code)?.label ?? code
}

/** The field without the language or market that it is in, such as `name` for `views.de.name`. */
export function fieldInMarket(field: string): { code: string; field: string } | undefined {
  const path = readViewPath(field)
  if (path === undefined) return undefined
  return { code: path.code, field: path.key === undefined ? path.field : `${path.field}.${path.key}` }
}

/** The label of a field of a product, with its language or market if it has one: "Name (German)". */
export function labelIn(field: string, markets: readonly Market[]): string {
  const inside = fieldInMarket(field)
  if (inside === undefined) return fieldLabel(field)
  return strings.fieldIn(fieldLabel(inside.field), marketLabel(inside.code, markets))
}

const languages =
  typeof Intl.DisplayNames === 'undefined' ? undefined : new Intl.DisplayNames('en', { type: 'language' })

/** A language tag as words: "Austrian German" for de-AT. */
export function localeName(locale: string): string {
  try {
    return languages?.of(locale) ?? locale
  } catch {
    return locale
  }
}
