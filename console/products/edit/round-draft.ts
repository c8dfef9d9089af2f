import { readNumber } from '../../parts/numbers/read-number.ts'
import type { Edit } from '../../wire.ts'
import { strings } from '../strings.ts'

/** How the dialog rounds prices. `amount` is the ending or step if `to` is `ending` or `step`. */
export type RoundDraft = { to: string; amount: string; direction: string }
type Rounding = NonNullable<Edit['round']>

export const noRounding: RoundDraft = { to: 'cents', amount: '', direction: 'nearest' }

/** Choices with a fixed rounding. */
const fixed: Record<string, Rounding | undefined> = {
  cents: undefined,
  '0.95': { ending: 0.95 },
  '0.99': { ending: 0.99 },
  '1': { step: 1 },
  '0.05': { step: 0.05 },
  '0.1': { step: 0.1 },
}
const { rounding } = strings.edit
export const roundChoices = [
  { value: 'cents', label: rounding.cents },
  { value: '0.95', label: rounding.endingIn(0.95) },
  { value: '0.99', label: rounding.endingIn(0.99) },
  { value: '1', label: rounding.whole },
  { value: '0.05', label: rounding.stepsOf(0.05) },
  { value: '0.1', label: rounding.stepsOf(0.1) },
  { value: 'ending', label: rounding.otherEnding },
  { value: 'step', label: rounding.otherStep },
]
export const directions = [
  { value: 'nearest', label: rounding.nearest },
  { value: 'up', label: rounding.up },
  { value: 'down', label: rounding.down },
]

/** Whether the user enters the ending or the step. */
export function isOwnRounding({ to }: RoundDraft): boolean {
  return to === 'ending' || to === 'step'
}

/** The rounding in the format of the API. Empty while the amount is not a number. */
export function roundOf({ to, amount, direction }: RoundDraft): { round?: Rounding } {
  const own = readNumber(amount)
  const round = to === 'ending' || to === 'step' ? 'number' in own && { [to]: own.number } : fixed[to]
  if (round === undefined || round === false) return {}
  return { round: { ...round, ...(direction !== 'nearest' && { direction: direction as 'up' | 'down' }) } }
}
