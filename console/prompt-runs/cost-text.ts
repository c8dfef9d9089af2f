const formats = new Map<string, Intl.NumberFormat>()

/** An amount with its currency. Calls cost fractions of a cent, so it has up to 6 decimals. */
export function costText(amount: number, currency: string): string {
  const format =
    formats.get(currency) ??
    new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 6 })
  formats.set(currency, format)
  return format.format(amount)
}
