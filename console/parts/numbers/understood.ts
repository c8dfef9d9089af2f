import { strings } from '../strings.ts'
import { isOddlyWritten, readNumber } from './read-number.ts'

/** With all of its digits: a number that is cut or rounded would be another one. */
const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })
export const exactText = (value: number) => exact.format(value)

/** What a form reads in a number that is written in another way than that of the reader's locale. */
export function understood(text: string, shown = exactText): string | undefined {
  const read = isOddlyWritten(text) ? readNumber(text) : undefined
  return read !== undefined && 'number' in read ? strings.number.readAs(shown(read.number)) : undefined
}
