import { strings } from '../strings.ts'
import { isOddlyWritten, readNumber } from './read-number.ts'

/** All digits, because a rounded number is another number. */
const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })
export const exactText = (value: number) => exact.format(value)

/** A hint with the number that the form read, if the notation is unusual in the user's locale. */
export function numberHint(text: string, shown = exactText): string | undefined {
  const read = isOddlyWritten(text) ? readNumber(text) : undefined
  return read !== undefined && 'number' in read ? strings.number.readAs(shown(read.number)) : undefined
}
