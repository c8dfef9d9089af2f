import { ProblemError } from '../../network.ts'
import { strings } from '../strings.ts'
import { readNumber } from './read-number.ts'

/** The number that the user typed. The field shows an error for other text, like errors from the service. */
export function parseNumber(pointer: string, text: string): number {
  const read = readNumber(text)
  if ('number' in read) return read.number
  const errors = [{ pointer, code: 'invalid_number', message: read.error }]
  throw new ProblemError(422, { detail: strings.problem.correctFields, code: 'invalid_body', errors }, null)
}

/** Why a non-empty text is not a number. */
export function numberError(text: string): string | undefined {
  const read = text.trim() === '' ? undefined : readNumber(text)
  return read !== undefined && 'error' in read ? read.error : undefined
}
