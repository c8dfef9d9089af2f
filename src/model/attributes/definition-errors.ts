import type { BodyError } from '../../platform/http/problems.ts'
import { attributeLimits } from '../limits/attributes.ts'
import type { AttributeDefinition, AttributeType } from './attribute-definition.schema.ts'
import { isDay } from './date-value.ts'
import { compilePattern } from './linear-pattern.ts'

type Limit = 'allowed' | 'pattern' | 'min' | 'max' | 'max_length'

/** The types that each limit applies to. */
const typesOf: Record<Limit, readonly AttributeType[]> = {
  allowed: ['choice'],
  pattern: ['text', 'url'],
  min: ['number', 'date'],
  max: ['number', 'date'],
  max_length: ['text', 'url'],
}

/** Finds contradictions between the fields of a definition. Pointers start at the definition. */
export function findDefinitionErrors(definition: AttributeDefinition): BodyError[] {
  const { type, allowed, pattern, min, max } = definition
  const misplaced = (Object.keys(typesOf) as Limit[])
    .filter((limit) => definition[limit] !== null && !typesOf[limit].includes(type))
    .map((limit) =>
      errorAt(
        limit,
        'not_applicable',
        `applies only to the type ${typesOf[limit].join(' or ')}; leave it out`,
      ),
    )
  if (misplaced.length > 0) return misplaced
  if (type === 'choice' && allowed === null)
    return [errorAt('allowed', 'required', 'is required: list the values of the choice')]
  const wrongBounds = [wrongBound(type, 'min', min), wrongBound(type, 'max', max)].flatMap((one) => one ?? [])
  if (wrongBounds.length > 0) return wrongBounds
  if (min !== null && max !== null && min > max)
    return [errorAt('max', 'too_small', `must be at least min (${min})`)]
  return findPatternErrors(pattern)
}

function wrongBound(
  type: AttributeType,
  name: 'min' | 'max',
  value: number | string | null,
): BodyError | undefined {
  if (value === null) return undefined
  if (type === 'number')
    return typeof value === 'number'
      ? undefined
      : errorAt(name, 'invalid_type', 'must be a number, like the values')
  return typeof value === 'string' && isDay(value)
    ? undefined
    : errorAt(name, 'invalid_format', 'must be a valid date such as 2026-01-31')
}

function findPatternErrors(pattern: string | null): BodyError[] {
  if (pattern === null) return []
  try {
    compilePattern(pattern)
    return []
  } catch (error) {
    return [errorAt('pattern', 'invalid_pattern', `is not a valid pattern: ${(error as Error).message}`)]
  }
}

/** Checks a set of definitions, each with its pointer in the body. */
export function findSetErrors(placed: readonly (AttributeDefinition & { pointer: string })[]): BodyError[] {
  const first = new Map(placed.toReversed().map(({ name, pointer }) => [name, pointer]))
  return placed.flatMap((definition) => {
    const at = (pointer: string) => definition.pointer + pointer
    const same = first.get(definition.name) as string
    if (same !== definition.pointer)
      return [{ pointer: at('/name'), code: 'duplicate_name', message: `is already defined at ${same}` }]
    return findDefinitionErrors(definition).map((one) => ({ ...one, pointer: at(one.pointer) }))
  })
}

/** All definitions of a project are read and compiled together. */
export function findSizeErrors(definitions: readonly AttributeDefinition[]): BodyError[] {
  if (definitions.length > attributeLimits.definitions)
    return [
      {
        pointer: '',
        code: 'too_many',
        message: `a project can have at most ${attributeLimits.definitions} definitions`,
      },
    ]
  const bytes = Buffer.byteLength(JSON.stringify(definitions))
  if (bytes <= attributeLimits.definitionsBytes) return []
  const message = `the definitions of a project can have at most ${attributeLimits.definitionsBytes / 1024} KiB in total; these have ${bytes} bytes`
  return [{ pointer: '', code: 'too_large', message }]
}

function errorAt(field: string, code: string, message: string): BodyError {
  return { pointer: `/${field}`, code, message }
}
