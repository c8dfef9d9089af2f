import type { TSchema } from 'typebox'
import { nearest } from './nearest.ts'
import { type Fault, Problem } from './problems.ts'
import type { RawQuery } from './query-string.ts'

type ParameterSchema = {
  type?: string
  format?: string
  /** Fields that a comma list may sort by. */
  'x-ordering'?: readonly string[]
  maximum?: number
  enum?: readonly unknown[]
  minimum?: number
  'x-aliases'?: readonly string[]
}
type Result = { value: Record<string, unknown> } | { error: Problem }

const digits = /^(0|[1-9][0-9]*)$/

/** Whole numbers are plain digits up to 2^53 − 1: no sign, no exponent, no blanks. */
export function readInteger(text: string): number | undefined {
  const value = digits.test(text) && text.length <= 16 ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** Reads the declared parameters and their aliases. An unknown, repeated or contradicting one is a fault. */
export function compileQuery(schema: TSchema): (query: unknown) => Result {
  const parameters = (schema as TSchema & { properties: Record<string, ParameterSchema> }).properties
  const nameOf = new Map(
    Object.entries(parameters).flatMap(([name, { 'x-aliases': aliases = [] }]) =>
      [name, ...aliases].map((known) => [known, name]),
    ),
  )
  const known = [...nameOf.keys()]

  return (query) => {
    const { pairs, malformed } = query as RawQuery
    const value: Record<string, unknown> = {}
    const faults: Fault[] = []
    const sent = new Map<string, string>()
    if (malformed) throwMalformed()
    for (const [parameter, text] of pairs) {
      const name = nameOf.get(parameter)
      const before = name === undefined ? undefined : sent.get(name)
      if (name === undefined)
        faults.push({
          parameter,
          code: 'unknown_parameter',
          message: `is not a parameter${nearest(parameter, known)}`,
        })
      else if (before !== undefined) faults.push(repeated(parameter, before))
      else {
        sent.set(name, parameter)
        const read = readValue(parameters[name] as ParameterSchema, text)
        if (read instanceof Error) faults.push({ parameter, code: 'invalid_value', message: read.message })
        else value[name] = read
      }
    }
    return faults.length === 0 ? { value } : { error: new Problem('invalid_parameters', { errors: faults }) }
  }
}

function throwMalformed(): never {
  throw new Problem('malformed_request', {
    detail: 'The query is not valid percent-encoded UTF-8 without NUL.',
  })
}

function repeated(parameter: string, before: string): Fault {
  const message = parameter === before ? 'is given twice' : `means the same as ${before}, which is given too`
  return { parameter, code: 'repeated_parameter', message }
}

function readValue(schema: ParameterSchema, text: string): string | number | Error {
  if (schema.enum !== undefined && !schema.enum.includes(text))
    return new Error(`must be one of ${schema.enum.join(', ')}`)
  if (schema.format === 'date-time') return readTime(text)
  if (schema['x-ordering'] !== undefined) return readOrdering(schema['x-ordering'], text)
  if (schema.type !== 'integer') return text
  const value = readInteger(text)
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (value !== undefined && value >= minimum && value <= maximum) return value
  return new Error(`must be a whole number from ${minimum} to ${maximum}, in plain digits`)
}

const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** In UTC, cut to the milliseconds that we store. */
function readTime(text: string): string | Error {
  const time = timeShape.test(text) ? new Date(text) : new Date(Number.NaN)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  return new Error(
    'must be a time such as 2026-01-31T08:15:30Z or 2026-01-31T09:15:30%2B01:00 (a + is sent as %2B)',
  )
}

/** A comma list of fields, each once, `-` for descending; the text is kept, only checked here. */
function readOrdering(fields: readonly string[], text: string): string | Error {
  const named = text.split(',').map((term) => term.replace(/^-/, ''))
  const unknown = named.find((field) => !fields.includes(field))
  if (unknown !== undefined) return new Error(`cannot sort by "${unknown}"${nearest(unknown, fields)}`)
  const twice = named.find((field, index) => named.indexOf(field) !== index)
  return twice === undefined ? text : new Error(`names ${twice} twice`)
}
