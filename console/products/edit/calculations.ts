import { addExactly, multiplyExactly } from '../../../src/model/product/exact-decimals.ts'
import { readNumber } from '../../parts/numbers/read-number.ts'
import type { Edit } from '../../wire.ts'
import { type RoundDraft, roundOf } from './round-draft.ts'

type Calculation = Omit<Edit, 'field'>
type Draft = { op: string; value: string; round: RoundDraft }

/** Computes an attribute, such as a sale price, from the price. */
export const fromPrice = 'price_share'

/** Operations whose result is computed and rounded, with the edit for an amount. */
const calculations: Record<string, (amount: number) => Calculation> = {
  raise_percent: (amount) => ({ op: 'multiply', value: share(100 + amount) }),
  lower_percent: (amount) => ({ op: 'multiply', value: share(100 - amount) }),
  [fromPrice]: (amount) => ({ op: 'multiply', value: share(amount), from: 'price' }),
  raise: (amount) => ({ op: 'add', value: amount }),
  lower: (amount) => ({ op: 'add', value: -amount }),
}

export function isCalculated(op: string): boolean {
  return Object.hasOwn(calculations, op)
}

/** The calculation in the format of the API. An invalid amount is sent as null, so that the service reports it. */
export function calculationOf({ op, value, round }: Draft): Calculation {
  const amount = numberOf(value)
  const edit = { ...(calculations[op]?.(amount ?? 0) as Calculation), ...roundOf(round) }
  return amount === null ? { ...edit, value: null } : edit
}

/** What the calculation makes of a price, or undefined if the amount is missing. */
export function resultOf(draft: Draft, price: number): number | undefined {
  const { op, value, round = {} } = calculationOf(draft)
  if (typeof value !== 'number') return undefined
  return (op === 'multiply' ? multiplyExactly : addExactly)(price, value, round)
}

/** Null if the text is not a number. */
export function numberOf(text: string): number | null {
  const read = readNumber(text)
  return 'number' in read ? read.number : null
}

/** Shifts the decimal point, because 110 / 100 is not exact in floating point. */
function share(percent: number): number {
  return Number(`${percent.toFixed(6)}e-2`)
}
