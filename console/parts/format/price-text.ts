const formats = new Map<string, Intl.NumberFormat>()

/** A price with its currency in the user's locale, with all decimals. */
export function priceText(price: number, currency: string): string {
  const format =
    formats.get(currency) ??
    new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 4 })
  formats.set(currency, format)
  return format.format(price)
}
