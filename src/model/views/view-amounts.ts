import { saleAttributes } from '../fields/sale-attributes.ts'
import { isSameValue } from '../fields/same-value.ts'
import { viewKey } from '../fields/view-paths.ts'
import { type ViewContent, type ViewsPatch, viewsIn } from './view-values.ts'
import type { Views } from './views.ts'

/** Views with the currency that a writer assumes, as parallel lists. */
export type AssumedCurrencies = { codes: string[]; currencies: string[] }

type Written = { before: ViewContent; after: ViewContent; views: Views | undefined }

/** The views in which writes set an amount; undefined if there are none. */
export function amountsIn(writes: Iterable<Written>): AssumedCurrencies | undefined {
  const { amounts, add } = collectAmounts()
  for (const write of writes) add(write)
  return amounts.codes.length === 0 ? undefined : amounts
}

/** Adds the views in which each write sets an amount. */
export function collectAmounts() {
  const amounts: AssumedCurrencies = { codes: [], currencies: [] }
  const seen = new Set<string>()

  function add({ before, after, views }: Written): void {
    if (views === undefined) return
    for (const [code, values] of viewsIn(after)) {
      const currency = views.byCode.get(code)?.currency
      const held = before[viewKey(code)] ?? {}
      const isSet = amountsOf(values).some(
        (amount, index) => amount !== undefined && !isSameValue('price', amount, amountsOf(held)[index]),
      )
      if (!isSet || currency === undefined || seen.has(`${code} ${currency}`)) continue
      seen.add(`${code} ${currency}`)
      amounts.codes.push(code)
      amounts.currencies.push(currency)
    }
  }
  return { amounts, add }
}

/** The paths of the amounts that a patch sets in views that got their currency after a time. */
export function findFormerAmounts(
  patch: ViewsPatch | undefined,
  views: Views | undefined,
  enteredAt: string,
): string[] {
  return Object.entries(patch ?? {}).flatMap(([code, values]) => {
    const since = views?.currencySince.get(code)
    if (values === null || since === undefined || enteredAt > since) return []
    const paths = amountNames.map((name) => `${viewKey(code)}.${name}`)
    return paths.filter((_path, index) => amountsOf(values)[index] != null)
  })
}

/** In the order of `amountsOf`. */
const amountNames = ['price', `attributes.${saleAttributes.price}`]

function amountsOf({ price, attributes }: NonNullable<ViewsPatch[string]>): unknown[] {
  return [price, attributes?.[saleAttributes.price]]
}
