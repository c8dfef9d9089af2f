import { requestLimits } from '../../limits/requests.ts'
import { orderingHint } from '../request/hints.ts'
import { oneLine, plainName } from '../request/name.schema.ts'

/** The keywords of a parameter's schema that apply to its text. */
export type ParameterSchema = {
  type?: string
  format?: string
  enum?: readonly unknown[]
  items?: ParameterSchema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  maxItems?: number
  uniqueItems?: boolean
  /** Fields that a list can be sorted by. */
  'x-ordering'?: readonly string[]
  /** In this list, a backslash before a comma or a backslash makes it part of the entry. */
  'x-escaped'?: boolean
  'x-aliases'?: readonly string[]
  /** One parameter per key: `name__key`, `name[key]`, and both with the suffix of an operator. */
  'x-keyed'?: boolean
}

export type QueryValue = string | number | boolean | QueryValue[]

const digits = /^(0|[1-9][0-9]*)$/
const decimal = /^-?[0-9]{1,25}(\.[0-9]{1,25})?$/

/** Integers are plain digits up to 2^53 − 1, without sign, exponent or spaces. */
export function readInteger(text: string): number | undefined {
  const value = digits.test(text) && text.length <= 16 ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** The parsed value, or an Error that describes the expected value. */
export function readValue(schema: ParameterSchema, text: string): QueryValue | Error {
  if (schema.enum !== undefined)
    return schema.enum.includes(text) ? text : new Error(`must be one of ${schema.enum.join(', ')}`)
  if (schema['x-ordering'] !== undefined) return readOrdering(schema['x-ordering'], text)
  if (schema.format === 'date-time') return readTime(text)
  if (schema.format === 'date') return readDay(text)
  switch (schema.type) {
    case 'integer':
      return readBounded(schema, text)
    case 'number':
      return readNumber(schema, text)
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : new Error('must be true or false')
    case 'array':
      return readList(schema, text)
    default:
      return readText(schema, text)
  }
}

/** The patterns that are validated; others are only documented. */
const checkedTexts = [oneLine, plainName].map(({ pattern, description }) => ({
  pattern,
  expression: new RegExp(pattern, 'u'),
  message: `must be ${description}`,
}))

/** Lengths are counted in characters, as in a body. Other formats are parsed by the routes that use them. */
function readText({ minLength = 0, maxLength, pattern }: ParameterSchema, text: string): string | Error {
  if (text.trim().length < minLength) return new Error('must not be empty')
  if (maxLength !== undefined && [...text].length > maxLength)
    return new Error(`must have at most ${maxLength} characters`)
  const checked = checkedTexts.find((one) => one.pattern === pattern)
  return checked?.expression.test(text) === false ? new Error(checked.message) : text
}

function readNumber({ minimum = Number.NEGATIVE_INFINITY }: ParameterSchema, text: string): number | Error {
  if (decimal.test(text) && Number(text) >= minimum) return Number(text)
  return new Error(
    `must be a number such as 12 or 12.5${Number.isFinite(minimum) ? `, from ${minimum}` : ''}`,
  )
}

function readBounded(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema,
  text: string,
): number | Error {
  const value = readInteger(text)
  if (value !== undefined && value >= minimum && value <= maximum) return value
  return new Error(`must be a whole number from ${minimum} to ${maximum}, in plain digits`)
}

function readList(
  {
    items = {},
    maxItems = requestLimits.parameterValues,
    uniqueItems,
    'x-escaped': isEscaped,
  }: ParameterSchema,
  text: string,
): QueryValue[] | Error {
  const values = (isEscaped === true ? splitEscaped(text) : text.split(',')).map((one) =>
    one === '' ? new Error('has an empty entry in its list') : readValue(items, one),
  )
  const error = values.find((value) => value instanceof Error)
  if (error !== undefined) return error
  if (values.length > maxItems) return new Error(`lists more than ${maxItems} values`)
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (uniqueItems === true && twice !== undefined) return new Error(`names ${twice} twice`)
  return values as QueryValue[]
}

function splitEscaped(text: string): string[] {
  const entries = ['']
  for (const [part] of text.matchAll(/\\[,\\]|./gsu)) {
    if (part === ',') entries.push('')
    else entries[entries.length - 1] += part.startsWith('\\') ? part.slice(-1) : part
  }
  return entries
}

const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Formats a time in UTC, truncated to milliseconds as in the database. */
function readTime(text: string): string | Error {
  const time = timeShape.test(text) && isDay(text.slice(0, 10)) ? new Date(text) : new Date(Number.NaN)
  const year = time.getUTCFullYear()
  if (year >= 1 && year <= 9999) return time.toISOString()
  return new Error(
    'must be a time such as 2026-01-31T08:15:30Z or 2026-01-31T09:15:30%2B01:00 (a + is sent as %2B)',
  )
}

function readDay(text: string): string | Error {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text)
    ? text
    : new Error('must be a date such as 2026-01-31')
}

/** Rejects February 30, which Date would convert to a day in March. */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
}

/** Validates a comma-separated list of distinct fields with `-` for descending, and returns the text unchanged. */
function readOrdering(fields: readonly string[], text: string): string | Error {
  const named = text.split(',').map((term) => term.replace(/^-/, ''))
  const unknown = named.find((field) => !fields.includes(field))
  if (unknown !== undefined) return new Error(`cannot sort by "${unknown}"${orderingHint(unknown, fields)}`)
  const twice = named.find((field, index) => named.indexOf(field) !== index)
  return twice === undefined ? text : new Error(`names ${twice} twice`)
}
