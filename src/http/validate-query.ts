import type { TSchema } from 'typebox'
import { type KeyedFilter, readKeyed, splitKeyed } from './keyed-parameters.ts'
import { nearest } from './nearest.ts'
import { type Fault, Problem } from './problems.ts'
import type { RawQuery } from './query-string.ts'
import { type ParameterSchema, readValue } from './query-values.ts'

type Result = { value: Record<string, unknown> } | { error: Problem }

/** Reads the declared parameters and their aliases. An unknown, repeated or contradicting one is a fault. */
export function compileQuery(schema: TSchema): (query: unknown) => Result {
  const parameters = (schema as TSchema & { properties: Record<string, ParameterSchema> }).properties
  const [family] = Object.keys(parameters).filter((name) => parameters[name]?.['x-keyed'] === true)
  const plain = Object.entries(parameters).filter(([name]) => name !== family)
  const nameOf = new Map(
    plain.flatMap(([name, { 'x-aliases': aliases = [] }]) =>
      [name, ...aliases].map((known) => [known, name]),
    ),
  )

  return (query) => {
    const { pairs, malformed } = query as RawQuery
    if (malformed)
      throw new Problem('malformed_request', {
        detail: 'The query is not valid percent-encoded UTF-8 without NUL.',
      })
    const reading: Reading = { value: {}, faults: [], sent: new Map(), nameOf, parameters, family }
    for (const [parameter, text] of pairs) readPair(reading, parameter, text)
    const { value, faults } = reading
    return faults.length === 0 ? { value } : { error: new Problem('invalid_parameters', { errors: faults }) }
  }
}

type Reading = {
  value: Record<string, unknown>
  faults: Fault[]
  sent: Map<string, string>
  nameOf: Map<string, string | undefined>
  parameters: Record<string, ParameterSchema>
  family: string | undefined
}

function readPair(reading: Reading, parameter: string, text: string): void {
  const { value, faults, sent, nameOf, parameters, family } = reading
  const name = nameOf.get(parameter)
  const keyed = name === undefined && family !== undefined ? splitKeyed(family, parameter) : undefined
  if (name === undefined && keyed === undefined) {
    const message = `is not a parameter${nearest(parameter, [...nameOf.keys()])}`
    faults.push({ parameter, code: 'unknown_parameter', message })
    return
  }
  const identity = keyed === undefined ? (name as string) : JSON.stringify(keyed)
  const before = sent.get(identity)
  if (before !== undefined) {
    faults.push(repeated(parameter, before))
    return
  }
  sent.set(identity, parameter)
  const read =
    keyed === undefined
      ? readValue(parameters[name as string] as ParameterSchema, text)
      : readKeyed(keyed.key, keyed.operator, text)
  if (read instanceof Error) faults.push({ parameter, code: 'invalid_value', message: read.message })
  else if (keyed === undefined) value[name as string] = read
  else value[family as string] = [...((value[family as string] as KeyedFilter[]) ?? []), read]
}

function repeated(parameter: string, before: string): Fault {
  const message = parameter === before ? 'is given twice' : `means the same as ${before}, which is given too`
  return { parameter, code: 'repeated_parameter', message }
}
