import type { AttributeValue } from '../fields/attributes.schema.ts'
import { attributeLimits } from '../limits/attributes.ts'
import type { AttributeDefinition, AttributeType } from './attribute-definition.schema.ts'
import { isDate } from './date-value.ts'
import { compilePattern } from './linear-pattern.ts'

type AttributeScalar = Exclude<AttributeValue, unknown[]>

/** The message states what would be valid. */
type ValueError = { code: string; message: string }
type CheckScalar = (value: AttributeScalar) => ValueError | undefined
export type CheckValue = (value: AttributeValue) => ValueError | undefined

const maxListedValues = 10

/** Compiled once per definition, because every write calls it. Returns the first error of a value. */
export function compileDefinition(definition: AttributeDefinition): CheckValue {
  const checks = [typeCheck(definition.type), ...limitChecks(definition)]
  const check: CheckScalar = (value) => {
    for (const one of checks) {
      const error = one(value)
      if (error !== undefined) return error
    }
    return undefined
  }
  return (value) => {
    if (!Array.isArray(value)) return check(value)
    if (!definition.multiple) return { code: 'too_many', message: 'must be a single value, not a list' }
    for (const one of value) {
      const error = check(one)
      if (error !== undefined) return error
    }
    return undefined
  }
}

const kinds: Record<AttributeType, { isValid: (value: AttributeScalar) => boolean; expected: string }> = {
  text: { isValid: (value) => typeof value === 'string', expected: 'text' },
  number: { isValid: (value) => typeof value === 'number', expected: 'a number, without quotes or a unit' },
  boolean: { isValid: (value) => typeof value === 'boolean', expected: 'true or false, without quotes' },
  date: {
    isValid: (value) => typeof value === 'string' && isDate(value),
    expected: 'a valid date such as 2026-01-31, or a UTC time such as 2026-01-31T09:30:00Z',
  },
  choice: {
    isValid: (value) => typeof value === 'string',
    expected: 'text that is one of the allowed values',
  },
  url: {
    isValid: (value) => typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
    expected: 'a URL that starts with https:// or http://',
  },
}

function typeCheck(type: AttributeType): CheckScalar {
  const { isValid, expected } = kinds[type]
  const error = { code: 'wrong_type', message: `must be ${expected}` }
  return (value) => (isValid(value) ? undefined : error)
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
    min !== null && requireThat((value) => comparable(value) >= min, 'too_small', `must be at least ${min}`),
    max !== null && requireThat((value) => comparable(value) <= max, 'too_large', `must be at most ${max}`),
    longest &&
      requireThat(
        (value) => isWithin(String(value), longest),
        'too_long',
        `must have at most ${longest} characters`,
      ),
    matches &&
      requireThat((value) => matches(String(value)), 'pattern_mismatch', `must match the pattern ${pattern}`),
  ].filter((check): check is CheckScalar => typeof check === 'function')
}

function requireThat(
  isValid: (value: AttributeScalar) => boolean,
  code: string,
  message: string,
): CheckScalar {
  const error = { code, message }
  return (value) => (isValid(value) ? undefined : error)
}

function allowedCheck(allowed: string[]): CheckScalar {
  const known = new Set<AttributeScalar>(allowed)
  const listed = allowed.slice(0, maxListedValues).join(', ')
  const others = allowed.length > maxListedValues ? ` or ${allowed.length - maxListedValues} others` : ''
  return requireThat((value) => known.has(value), 'not_allowed', `must be one of ${listed}${others}`)
}

/** The day of a time: bounds are days and include all times of the day. */
function comparable(value: AttributeScalar): number | string {
  return typeof value === 'string' ? value.slice(0, 10) : Number(value)
}

/** Counts characters as all other limits do: a surrogate pair is one character. */
function isWithin(text: string, longest: number): boolean {
  return text.length <= longest || (text.length <= longest * 2 && [...text].length <= longest)
}
