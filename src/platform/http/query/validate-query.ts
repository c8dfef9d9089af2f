import type { TSchema } from 'typebox'
import { type InputError, Problem } from '../problems.ts'
import { parameterHint, severalValuesHint, valueHint } from '../request/hints.ts'
import { type Keyed, type KeyedFilter, readKeyed, splitKeyed } from './keyed-parameters.ts'
import type { RawQuery } from './query-string.ts'
import { type ParameterSchema, readValue } from './query-values.ts'

type Result = { value: Record<string, unknown> } | { error: Problem }

/** The values of one parameter in a request: the name as first sent, and every value. */
type Given = { parameter: string; name: string; keyed?: Keyed | undefined; texts: string[] }

/**
 * Reads the declared parameters and their aliases. Unknown, contradictory and repeated parameters are errors, except
 * for lists: `id__in=1&id__in=2` and `id__in[]=1&id__in[]=2` mean `id__in=1,2`.
 */
export function compileQuery(schema: TSchema): (query: unknown) => Result {
  const parameters = (schema as TSchema & { properties: Record<string, ParameterSchema> }).properties
  const [family] = Object.keys(parameters).filter((name) => parameters[name]?.['x-keyed'] === true)
  const plain = Object.entries(parameters).filter(([name]) => name !== family)
  const nameOf = new Map(
    plain.flatMap(([name, { 'x-aliases': aliases = [] }]) =>
      [name, ...aliases].map((known) => [known, name]),
    ),
  )
  const { required = [], 'x-rejected': rejected } = schema as {
    required?: string[]
    'x-rejected'?: Rejection
  }
  const known: Known = { nameOf, parameters, family, rejected }

  return (query) => {
    const { pairs, malformed } = query as RawQuery
    if (malformed)
      throw new Problem('malformed_request', {
        detail: 'The query is not valid percent-encoded UTF-8 without NUL.',
      })
    // The errors are in the order in which the client sent the parameters.
    const given = new Map<string | InputError, Given | InputError>()
    for (const [parameter, text] of pairs) {
      const error = gather(known, given, parameter, text)
      if (error !== undefined) given.set(error, error)
    }
    const value: Record<string, unknown> = {}
    const errors: InputError[] = []
    for (const one of given.values()) {
      const error = 'code' in one ? one : read(known, one, value)
      if (error !== undefined) errors.push(error)
    }
    for (const name of required.filter((one) => !given.has(one)))
      errors.push({ parameter: name, code: 'required', message: 'is required' })
    return errors.length === 0 ? { value } : { error: new Problem('invalid_parameters', { errors }) }
  }
}

type Known = {
  /** Names and aliases, each with the name of its parameter. */
  nameOf: Map<string, string | undefined>
  parameters: Record<string, ParameterSchema>
  /** The parameter that represents one parameter per key. */
  family: string | undefined
  rejected: Rejection | undefined
}

/** Parameters of other routes that this one rejects for a known reason. */
type Rejection = { names: readonly string[]; code: string; message: string }

/** Adds the value to the others of its parameter. */
function gather(
  known: Known,
  given: Map<string | InputError, Given | InputError>,
  parameter: string,
  text: string,
): InputError | undefined {
  const name = plainName(known, parameter)
  const keyed =
    name === undefined && known.family !== undefined ? splitKeyed(known.family, parameter) : undefined
  if (name === undefined && keyed === undefined) return unknownParameter(known, parameter)
  const identity = name ?? JSON.stringify(keyed)
  const before = given.get(identity) as Given | undefined
  if (before === undefined) {
    given.set(identity, { parameter, name: name ?? (known.family as string), keyed, texts: [text] })
    return undefined
  }
  if (isList(known, before)) before.texts.push(text)
  // Clients that follow links repeat their original attribute filters in addition to those of the link.
  else if (keyed === undefined || text !== before.texts[0]) return repeated(known, parameter, before)
  return undefined
}

const listEnding = /\[\d{0,3}\]$/

/** The parameter that a name refers to; lists can also be sent as `name[]` and `name[0]`. */
function plainName({ nameOf, parameters }: Known, parameter: string): string | undefined {
  const name = nameOf.get(parameter)
  if (name !== undefined || !listEnding.test(parameter)) return name
  const listed = nameOf.get(parameter.replace(listEnding, ''))
  return listed !== undefined && parameters[listed]?.type === 'array' ? listed : undefined
}

function isList({ parameters }: Known, { name, keyed }: Given): boolean {
  return keyed === undefined ? parameters[name]?.type === 'array' : keyed.operator === 'in'
}

function read(
  { parameters }: Known,
  { parameter, name, keyed, texts }: Given,
  value: Record<string, unknown>,
): InputError | undefined {
  const text = texts.join(',')
  const result =
    keyed === undefined ? readValue(parameters[name] as ParameterSchema, text) : readKeyed(keyed, text)
  if (result instanceof Error)
    return { parameter, code: 'invalid_value', message: result.message + valueHint(name) }
  value[name] = keyed === undefined ? result : [...((value[name] as KeyedFilter[]) ?? []), result]
  return undefined
}

function unknownParameter({ nameOf, family, rejected }: Known, parameter: string): InputError {
  if (rejected?.names.includes(parameter)) {
    const { code, message } = rejected
    return { parameter, code, message }
  }
  const message = `is not a parameter${parameterHint(parameter, [...nameOf.keys()], family)}`
  return { parameter, code: 'unknown_parameter', message }
}

function repeated(
  { parameters }: Known,
  parameter: string,
  { parameter: before, name, keyed }: Given,
): InputError {
  const message = parameter === before ? 'is sent twice' : `means the same as ${before}, which is also sent`
  const list = keyed === undefined ? `${name}__in` : `${before}__in`
  const hasList = keyed === undefined ? list in parameters : keyed.operator === 'exact'
  return {
    parameter,
    code: 'repeated_parameter',
    message: message + (hasList ? severalValuesHint(list) : ''),
  }
}
