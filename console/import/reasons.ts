import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { asSentence } from '../parts/problem.tsx'
import { pointerField } from '../proposals/lines/value-text.ts'
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

function reasonText({ pointer, message }: LineError): string {
  const field = pointerField(pointer)
  const text = field === undefined ? asSentence(message) : `${fieldLabel(field)} ${message}`
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
