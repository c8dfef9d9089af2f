import { type ParameterSchema, type QueryValue, readValue } from './query-values.ts'

const operators = {
  in: { type: 'array', items: { type: 'string' } },
  icontains: { type: 'string', minLength: 1 },
  isnull: { type: 'boolean' },
} as const satisfies Record<string, ParameterSchema>

const bounds = ['gte', 'lte'] as const

/** `attributes__size__gte=40` is { key: 'size', operator: 'gte', value: 40 }; a text bound is a date, or a time in UTC. */
export type KeyedFilter =
  | { key: string; operator: 'exact' | 'icontains'; value: string }
  | { key: string; operator: 'in'; value: string[] }
  | { key: string; operator: 'isnull'; value: boolean }
  | { key: string; operator: 'gte' | 'lte'; value: number | string }

type Operator = KeyedFilter['operator']

/** A parsed parameter of the family. */
export type Keyed = { key: string; operator: Operator | 'unknown' }

/** Splits `attributes__Name__gte` or `attributes[Any name]__gte`; undefined if the parameter belongs to another family. */
export function splitKeyed(family: string, parameter: string): Keyed | undefined {
  // The forms in which clients send lists and nested objects: `attributes__color__in[]`, `attributes[color][]`, `attributes[color][gte]`.
  const name = parameter
    .replace(/(?<=__in)\[\d{0,3}\]$/, '')
    .replace(/(?<=\])\[\d{0,3}\]$/, '__in')
    .replace(/(?<=\])\[(in|icontains|isnull|gte|lte)\]$/, '__$1')
  const ending = '(?:__(in|icontains|isnull|gte|lte))?$'
  const [, bracketed, inner] = new RegExp(`^${family}\\[(.+)\\]${ending}`, 's').exec(name) ?? []
  if (bracketed !== undefined) return { key: bracketed, operator: (inner ?? 'exact') as Operator }
  const [, plain, outer] = new RegExp(`^${family}__(.+?)${ending}`, 's').exec(name) ?? []
  if (plain === undefined) return undefined
  // Probably a misspelled suffix; a name with two underscores can be written in brackets.
  return { key: plain, operator: plain.includes('__') ? 'unknown' : ((outer ?? 'exact') as Operator) }
}

export function readKeyed({ key, operator }: Keyed, text: string): KeyedFilter | Error {
  if (operator === 'unknown') {
    const endings = [...Object.keys(operators), ...bounds].map((name) => `__${name}`)
    return new Error(
      `has a suffix that is not one of ${endings.join(', ')}; write a name with two underscores in brackets, [${key}]`,
    )
  }
  const value = readOperand(operator, text)
  return value instanceof Error ? value : ({ key, operator, value } as KeyedFilter)
}

function readOperand(operator: Operator, text: string): QueryValue | Error {
  if (operator === 'exact') return text
  return operator === 'gte' || operator === 'lte' ? readBound(text) : readValue(operators[operator], text)
}

function readBound(text: string): QueryValue | Error {
  const meanings = [{ type: 'number' }, { format: 'date' }, { format: 'date-time' }]
  const values = meanings.map((meaning) => readValue(meaning, text))
  return (
    values.find((value) => !(value instanceof Error)) ??
    new Error('must be a number such as 12 or 12.5, or a date such as 2026-01-31 or 2026-01-31T08:15:30Z')
  )
}
