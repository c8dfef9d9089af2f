import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { asSentence } from '../parts/problem.tsx'
import { faultField } from '../proposals/value-text.ts'
import type { Fault, Rejected } from './sender.ts'

export type Reason = { key: string; text: string; count: number }

/** Of one kind are faults of the same field and code, whatever their words. */
export function reasonKey({ pointer, code }: Fault): string {
  return `${faultField(pointer) ?? ''} ${code}`
}

/** Why lines were rejected, the most frequent first. */
export function reasonsOf(rejected: readonly Rejected[]): Reason[] {
  const reasons = new Map<string, Reason>()
  for (const { faults } of rejected)
    for (const fault of new Map(faults.map((one) => [reasonKey(one), one])).values()) {
      const key = reasonKey(fault)
      const known = reasons.get(key)
      if (known === undefined) reasons.set(key, { key, text: reasonText(fault), count: 1 })
      else known.count += 1
    }
  return [...reasons.values()].sort((one, other) => other.count - one.count)
}

const longestText = 80

function reasonText({ pointer, message }: Fault): string {
  const field = faultField(pointer)
  const text = field === undefined ? asSentence(message) : `${fieldLabel(field)} ${message}`
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
