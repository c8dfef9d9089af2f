import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { asSentence, inWords } from '../parts/problem.tsx'
import { pointerField } from '../proposals/value-text.ts'
import { cellAt, type Mapping, targetOfField } from './mapping.ts'
import type { LineError, Rejected } from './sender.ts'

export type Reason = { key: string; text: string; count: number }

/** Groups errors by field and code, not by message. */
export function reasonKey({ pointer, code }: LineError): string {
  return `${pointerField(pointer) ?? ''} ${code}`
}

/** The reasons for rejections, most frequent first. */
export function reasonsOf(rejected: readonly Rejected[]): Reason[] {
  const reasons = new Map<string, Reason>()
  for (const { errors } of rejected)
    for (const error of new Map(errors.map((one) => [reasonKey(one), one])).values()) {
      const key = reasonKey(error)
      const known = reasons.get(key)
      if (known === undefined) reasons.set(key, { key, text: reasonText(error), count: 1 })
      else known.count += 1
    }
  return [...reasons.values()].sort((one, other) => other.count - one.count)
}

const longestText = 80

/** The error with its field, such as "Price must be a number or empty". */
export function lineErrorText({ pointer, message }: LineError): string {
  const field = pointerField(pointer)
  return field === undefined ? asSentence(message) : `${fieldLabel(field)} ${inWords(message)}`
}

function reasonText(error: LineError): string {
  const text = lineErrorText(error)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** The rejected lines that have the same invalid cell. */
export function linesLike(
  one: Rejected,
  target: string,
  rejected: readonly Rejected[],
  mapping: Mapping,
): Rejected[] {
  const cell = cellAt(target, mapping, one.record)
  return rejected.filter(
    ({ record, errors }) =>
      cellAt(target, mapping, record) === cell &&
      errors.some(({ pointer }) => targetOfField(pointerField(pointer), mapping) === target),
  )
}
