/** Numbers in the user's locale. */

const counts = new Intl.NumberFormat()
const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' })

export const countText = (count: number) => counts.format(count)
export const signedText = (count: number) => signed.format(count)

export function priceText(price: number, currency: string): string {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 4 }).format(
    price,
  )
}
