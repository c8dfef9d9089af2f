import type { AttributeValue } from '../fields/attributes.schema.ts'
import { attributeLimits } from '../limits/attributes.ts'
import type { AttributeDefinition, AttributeType } from './attribute-definition.schema.ts'
import { isDate } from './date-value.ts'
import { compilePattern } from './linear-pattern.ts'

type AttributeScalar = Exclude<AttributeValue, unknown[]>

/** The message states what would be valid. */
type ValueFault = { code: string; message: string }
type CheckScalar = (value: AttributeScalar) => ValueFault | undefined
export type CheckValue = (value: AttributeValue) => ValueFault | undefined

const mostTold = 10

/** Compiled once per definition, because every write calls it. Returns the first error of a value. */
export function compileDefinition(definition: AttributeDefinition): CheckValue {
  const checks = [typeCheck(definition.type), ...limitChecks(definition)]
  const check: CheckScalar = (value) => {
    for (const one of checks) {
      const fault = one(value)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  return (value) => {
    if (!Array.isArray(value)) return check(value)
    if (!definition.multiple) return { code: 'too_many', message: 'must be a single value, not a list' }
    for (const one of value) {
      const fault = check(one)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

const kinds: Record<AttributeType, { holds: (value: AttributeScalar) => boolean; right: string }> = {
  text: { holds: (value) => typeof value === 'string', right: 'text' },
  number: { holds: (value) => typeof value === 'number', right: 'a number, without quotes or a unit' },
  boolean: { holds: (value) => typeof value === 'boolean', right: 'true or false, without quotes' },
  date: {
    holds: (value) => typeof value === 'string' && isDate(value),
    right: 'a valid date such as 2026-01-31, or a UTC time such as 2026-01-31T09:30:00Z',
  },
  choice: { holds: (value) => typeof value === 'string', right: 'text that is one of the allowed values' },
  url: {
    holds: (value) => typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
    right: 'a URL that starts with https:// or http://',
  },
}

function typeCheck(type: AttributeType): CheckScalar {
  const { holds, right } = kinds[type]
  const fault = { code: 'wrong_type', message: `must be ${right}` }
  return (value) => (holds(value) ? undefined : fault)
}

/** Checks for values of the correct type. */
function limitChecks(definition: AttributeDefinition): CheckScalar[] {
  const { allowed, pattern, min, max, max_length } = definition
  const longest =
    pattern === null
      ? max_length
      : Math.min(max_length ?? Number.POSITIVE_INFINITY, attributeLimits.patternedValueCharacters)
  const matches = pattern === null ? undefined : compilePattern(pattern)
  return [
    allowed && allowedCheck(allowed),
    min !== null && unless((value) => comparable(value) >= min, 'too_small', `must be at least ${min}`),
    max !== null && unless((value) => comparable(value) <= max, 'too_large', `must be at most ${max}`),
    longest &&
      unless(
        (value) => isWithin(String(value), longest),
        'too_long',
        `must have at most ${longest} characters`,
      ),
    matches &&
      unless((value) => matches(String(value)), 'pattern_mismatch', `must match the pattern ${pattern}`),
  ].filter((check): check is CheckScalar => typeof check === 'function')
}

function unless(holds: (value: AttributeScalar) => boolean, code: string, message: string): CheckScalar {
  const fault = { code, message }
  return (value) => (holds(value) ? undefined : fault)
}

function allowedCheck(allowed: string[]): CheckScalar {
  const known = new Set<AttributeScalar>(allowed)
  const told = allowed.slice(0, mostTold).join(', ')
  const others = allowed.length > mostTold ? ` or ${allowed.length - mostTold} others` : ''
  return unless((value) => known.has(value), 'not_allowed', `must be one of ${told}${others}`)
}

/** The day of a time: bounds are days and include all times of the day. */
function comparable(value: AttributeScalar): number | string {
  return typeof value === 'string' ? value.slice(0, 10) : Number(value)
}

/** Counts characters as all other limits do: a surrogate pair is one character. */
function isWithin(text: string, longest: number): boolean {
  return text.length <= longest || (text.length <= longest * 2 && [...text].length <= longest)
}
