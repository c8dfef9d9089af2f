/** Amounts are stored and counted in millionths of the currency, because fractions add up to errors. */
const millionths = 1_000_000

export function toMillionths(amount: number): bigint {
  return BigInt(Math.round(amount * millionths))
}

export function fromMillionths(amount: number): number {
  return amount / millionths
}
