import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addExactly, multiplyExactly } from './exact-decimals.ts'

/** A decimal in a test: units of 10^-scale, and the number that JSON parses from its text. */
const decimal = (mostUnits: number, mostScale: number) =>
  fc.record({
    units: fc.integer({ min: -mostUnits, max: mostUnits }),
    scale: fc.integer({ min: 0, max: mostScale }),
  })
type Decimal = { units: number; scale: number }

/** Formats digits without division. */
function numberOf({ units, scale }: Decimal): number {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0')
  const cut = digits.length - scale
  return JSON.parse(
    `${units < 0 ? '-' : ''}${digits.slice(0, cut)}${scale > 0 ? `.${digits.slice(cut)}` : ''}`,
  )
}

const price = decimal(999_999_999_999, 4).map((one) => ({ ...one, units: Math.abs(one.units) }))
const value = decimal(999_999_999, 12)
const decimals = fc.integer({ min: 0, max: 4 })

/** Whether a result is the multiple of 10^-decimals nearest to units × 10^-scale, with ties rounded away from zero. */
function isNearest(result: number, units: bigint, scale: number, places: number): boolean {
  const asUnits = BigInt(Math.round(result * 10 ** places))
  if (numberOf({ units: Number(asUnits), scale: places }) !== result && asUnits !== 0n) return false
  const [exact, step] = [units * 10n ** BigInt(places), 10n ** BigInt(scale)]
  const distance = (one: bigint) => (one < 0n ? -one : one)
  const apart = 2n * distance(asUnits * step - exact)
  return apart < step || (apart === step && distance(asUnits * step) > distance(exact))
}

test('a product of decimals is rounded exactly, half away from zero, regardless of binary rounding', () => {
  fc.assert(
    fc.property(price, value, decimals, (one, other, places) => {
      // Larger results have more digits than a number can store, and exceed every price.
      fc.pre(Math.abs(numberOf(one) * numberOf(other)) < 100_000_000)
      const result = multiplyExactly(numberOf(one), numberOf(other), places)
      return isNearest(result, BigInt(one.units) * BigInt(other.units), one.scale + other.scale, places)
    }),
    { numRuns: 2_000 },
  )
})

test('a sum of decimals is rounded exactly, half away from zero', () => {
  fc.assert(
    fc.property(price, value, decimals, (one, other, places) => {
      fc.pre(Math.abs(numberOf(one) + numberOf(other)) < 100_000_000)
      const scale = one.scale + other.scale
      const units =
        BigInt(one.units) * 10n ** BigInt(other.scale) + BigInt(other.units) * 10n ** BigInt(one.scale)
      return isNearest(addExactly(numberOf(one), numberOf(other), places), units, scale, places)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['1.005 to two decimals, which binary has below the half', 1.005, 1, 2, 1.01],
  ['8.325 × 1, likewise', 8.325, 1, 2, 8.33],
  ['19.99 × 1.1', 19.99, 1.1, 2, 21.99],
  ['0.35 × 0.07', 0.35, 0.07, 4, 0.0245],
  ['2.5 to no decimals, away from zero and not to the even', 2.5, 1, 0, 3],
  ['a factor below zero', 2.5, -1, 0, -3],
  ['1e-7 as a factor', 50_000, 1e-7, 4, 0.005],
  ['5e-324, the smallest number', 99_999_999.9999, 5e-324, 4, 0],
  ['1e21, which is written with an exponent', 0.0001, 1e21, 2, 1e17],
  ['the largest price', 99_999_999.9999, 1, 4, 99_999_999.9999],
  ['the largest price over its bound', 99_999_999.9999, 1, 2, 100_000_000],
  ['a factor of -0', 5, -0, 2, 0],
])('multiplies %s', (_what, one, factor, places, result) => {
  expect(multiplyExactly(one, factor, places)).toBe(result)
})

test.each([
  [0.1, 0.2, 2, 0.3],
  [19.99, -0.995, 2, 19],
  [1, -1.005, 2, -0.01],
  [1, 1e-7, 4, 1],
  [1, -0.996, 2, 0],
  [-0.001, 0, 2, 0],
  [1e21, 2e22, 2, 2.1e22],
  [1e21, -1e21, 0, 0],
])('adds %d and %d to %d decimals', (one, summand, places, result) => {
  expect(addExactly(one, summand, places)).toBe(result)
})
