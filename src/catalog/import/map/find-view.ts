import type { View, Views } from '../../../model/views/views.ts'
import type { ColumnMap } from './map.schema.ts'

export type FindView = ReturnType<typeof viewFinder>

/**
 * Finds the view that a language, channel, currency or store of another system means: the one that the map names, or the one with the
 * same code, locale or, for prices, currency.
 */
export function viewFinder({ views: named = {} }: Pick<ColumnMap, 'views'>, views: Views | undefined) {
  const all = [...(views?.byCode.values() ?? [])]
  const missing = Object.entries(named).find(([, code]) => views?.byCode.has(code) !== true)
  if (missing !== undefined)
    throw new Error(
      `the map assigns "${missing[0]}" to the view ${missing[1]}, which the project does not have; create it first, or correct "views" in the map`,
    )
  const only = (isSame: (view: View) => boolean) => {
    const found = all.filter(isSame)
    return found.length === 1 ? found[0]?.code : undefined
  }
  const one = (key: string, isPrice: boolean): string | undefined =>
    (Object.hasOwn(named, key) ? named[key] : undefined) ??
    only(({ code }) => code === key.toLowerCase()) ??
    only(({ locale }) => locale !== null && sameLocale(locale) === sameLocale(key)) ??
    (isPrice ? only(({ currency }) => currency === key && currency !== views?.currency) : undefined)
  /** The views of `de_DE` or `en_US-mobile`. With several, the column belongs to none. */
  return (key: string, isPrice = false): string[] => {
    if (all.length === 0) return []
    const whole = one(key, isPrice)
    if (whole !== undefined) return [whole]
    return [...new Set(key.split('-').flatMap((part) => one(part, isPrice) ?? []))]
  }
}

function sameLocale(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase()
}
