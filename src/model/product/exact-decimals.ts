/** How a result is rounded: to a number of decimals, to a multiple of a step, or to a price that ends in certain digits, such as 0.95. */
type Rounding = { decimals?: number; step?: number; ending?: number; direction?: Direction }
type Direction = 'nearest' | 'up' | 'down'

/** A decimal number: its digits as an integer, and the number of decimals. A negative number adds zeros. */
type Decimal = { digits: bigint; decimals: number }

/** The rounded product. Neither 0.07 nor 19.99 is exact in binary; as decimals they are. */
export function multiplyExactly(price: number, factor: number, rounding: Rounding): number {
  const [one, other] = [decimalOf(price), decimalOf(factor)]
  return rounded({ digits: one.digits * other.digits, decimals: one.decimals + other.decimals }, rounding)
}

/** The rounded sum. */
export function addExactly(price: number, summand: number, rounding: Rounding): number {
  const [one, other] = [decimalOf(price), decimalOf(summand)]
  const most = Math.max(one.decimals, other.decimals)
  return rounded({ digits: digitsAt(one, most) + digitsAt(other, most), decimals: most }, rounding)
}

/** The number of decimals in the shortest text of a number. */
export function countDecimals(value: number): number {
  return Math.max(0, decimalOf(value).decimals)
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

function rounded(value: Decimal, { decimals = 2, step, ending, direction = 'nearest' }: Rounding): number {
  // A price of zero is free on purpose, and one below zero is an error that the check of the line reports.
  if ((step ?? ending) === undefined || value.digits <= 0n)
    return nearestOn(value, { step: { digits: 1n, decimals }, start: zero, direction: 'nearest' })
  const scale =
    step === undefined
      ? { step: unitAbove(ending as number), start: decimalOf(ending as number) }
      : { step: decimalOf(step), start: zero }
  // Rounding never makes a product free.
  const least = step ?? (ending || 1)
  return Math.max(nearestOn(value, { ...scale, direction }), least)
}

const zero: Decimal = { digits: 0n, decimals: 0 }

/** The smallest power of ten above the ending, and at least 1: 0.95 repeats every 1, 9.95 every 10. */
function unitAbove(ending: number): Decimal {
  let digits = 1n
  while (Number(digits) <= ending) digits *= 10n
  return { digits, decimals: 0 }
}

type Scale = { step: Decimal; start: Decimal; direction: Direction }

/** The value on the scale of all `start + n × step`. The nearest value is the one away from zero if two are equally near. */
function nearestOn(value: Decimal, { step, start, direction }: Scale): number {
  const decimals = Math.max(value.decimals, step.decimals, start.decimals)
  const [from, width] = [digitsAt(start, decimals), digitsAt(step, decimals)]
  const steps = divide(digitsAt(value, decimals) - from, width, direction)
  return Number(`${steps * width + from}e-${decimals}`)
}

function divide(dividend: bigint, divisor: bigint, direction: Direction): bigint {
  const size = dividend < 0n ? -dividend : dividend
  // Integer division truncates. Adding half of the divisor first rounds the result.
  if (direction === 'nearest') {
    const nearest = (2n * size + divisor) / (2n * divisor)
    return dividend < 0n ? -nearest : nearest
  }
  const truncated = dividend / divisor
  if (truncated * divisor === dividend) return truncated
  if (direction === 'up') return dividend > 0n ? truncated + 1n : truncated
  return dividend < 0n ? truncated - 1n : truncated
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}
