import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addExactly, countDecimals, multiplyExactly } from './exact-decimals.ts'

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
      const result = multiplyExactly(numberOf(one), numberOf(other), { decimals: places })
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
      return isNearest(addExactly(numberOf(one), numberOf(other), { decimals: places }), units, scale, places)
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
  expect(multiplyExactly(one, factor, { decimals: places })).toBe(result)
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
  expect(addExactly(one, summand, { decimals: places })).toBe(result)
})

test.each([
  ['to the nearest ending', 19.99, { ending: 0.95 }, 19.95],
  ['to the higher of two equally near endings', 20.45, { ending: 0.95 }, 20.95],
  ['to the next higher ending', 19.96, { ending: 0.95, direction: 'up' }, 20.95],
  ['to the next lower ending', 20.94, { ending: 0.95, direction: 'down' }, 19.95],
  ['to an ending with an integer, which repeats every ten', 43, { ending: 9.95 }, 39.95],
  ['to an ending without decimals, which repeats every hundred', 1234, { ending: 80 }, 1280],
  ['to whole numbers', 19.5, { ending: 0 }, 20],
  ['to the nearest step', 1.07, { step: 0.05 }, 1.05],
  ['to the next higher step', 1.01, { step: 0.05, direction: 'up' }, 1.05],
  ['to the next lower step', 1.09, { step: 0.05, direction: 'down' }, 1.05],
  ['a value on the scale to itself', 1.05, { step: 0.05, direction: 'up' }, 1.05],
  ['a small price to the ending itself, not below zero', 0.2, { ending: 0.95, direction: 'down' }, 0.95],
  ['a small price to one step, so that it never becomes free', 0.02, { step: 0.05 }, 0.05],
  ['a free product to itself', 0, { ending: 0.95 }, 0],
  ['a price below zero to cents, for the check that rejects it', -1.005, { step: 5 }, -1.01],
] as const)('rounds %s', (_what, price, rounding, result) => {
  expect(multiplyExactly(price, 1, rounding)).toBe(result)
  expect(addExactly(price, 0, rounding)).toBe(result)
})

test('a rounded price is on the scale, in the direction, and less than one step away', () => {
  const direction = fc.constantFrom('nearest' as const, 'up' as const, 'down' as const)
  const cents = fc.integer({ min: 10_000, max: 9_999_999 })
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 5_000 }), direction, (price, step, way) => {
      const result = multiplyExactly(price / 100, 1, { step: step / 100, direction: way })
      const apart = Math.round(result * 100) - price
      expect(Math.round(result * 100) % step).toBe(0)
      if (way === 'up') expect(apart).toBeGreaterThanOrEqual(0)
      if (way === 'down') expect(apart).toBeLessThanOrEqual(0)
      expect(Math.abs(apart)).toBeLessThanOrEqual(way === 'nearest' ? step / 2 : step - 1)
    }),
  )
})

test.each([
  [5, 0],
  [0.95, 2],
  [1e-7, 7],
  [1e21, 0],
])('counts the decimals of %d', (value, decimals) => {
  expect(countDecimals(value)).toBe(decimals)
})
