/** A decimal number: its digits as an integer, and the number of decimals. A negative number adds zeros. */
type Decimal = { digits: bigint; decimals: number }

/** The product, rounded half away from zero. Neither 0.07 nor 19.99 is exact in binary; as decimals they are. */
export function multiplyExactly(price: number, factor: number, decimals: number): number {
  const [one, other] = [decimalOf(price), decimalOf(factor)]
  return rounded({ digits: one.digits * other.digits, decimals: one.decimals + other.decimals }, decimals)
}

/** The sum, rounded half away from zero. */
export function addExactly(price: number, summand: number, decimals: number): number {
  const [one, other] = [decimalOf(price), decimalOf(summand)]
  const most = Math.max(one.decimals, other.decimals)
  return rounded({ digits: digitsAt(one, most) + digitsAt(other, most), decimals: most }, decimals)
}

/** The shortest text of a number is the decimal that was written; it may have an exponent, such as 1e-7. */
function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) }
}

/** The digits with more zeros after them: of the same number, with as many decimals. */
function digitsAt({ digits, decimals }: Decimal, wanted: number): bigint {
  return digits * power(wanted - decimals)
}

function rounded(value: Decimal, decimals: number): number {
  if (value.decimals <= decimals) return Number(`${digitsAt(value, decimals)}e-${decimals}`)
  const divisor = power(value.decimals - decimals)
  const size = value.digits < 0n ? -value.digits : value.digits
  // Integer division truncates. Adding half of the divisor first rounds the result.
  const nearest = (2n * size + divisor) / (2n * divisor)
  return Number(`${value.digits < 0n ? -nearest : nearest}e-${decimals}`)
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}
