import { type Fault, Problem } from '../http/problems.ts'
import type { KeyedFilter } from '../http/request/keyed-parameters.ts'
import type { ProductQuery } from './product-list.schema.ts'
import type { Rulesets } from './rulesets.ts'

type Caller = Parameters<Rulesets['of']>[0]
type Definitions = readonly { name: string; type?: string }[]
type Bound = KeyedFilter & { operator: 'gte' | 'lte' }

/** Refuses a bound of another kind than the attribute has: a date where none is defined, a number where one is. */
export async function checkBounds(
  { attributes = [] }: ProductQuery,
  rulesets: Rulesets,
  caller: Caller,
): Promise<void> {
  const bounds = attributes.filter((filter): filter is Bound => /^[gl]te$/.test(filter.operator))
  if (bounds.length === 0) return
  const { definitions } = await rulesets.of(caller)
  const errors = bounds.flatMap((bound) => faultOf(bound, definitions) ?? [])
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
}

function faultOf({ key, operator, value }: Bound, definitions: Definitions): Fault | undefined {
  const isDefined = definitions.some(({ name, type }) => name === key && type === 'date')
  if (isDefined === (typeof value === 'string')) return undefined
  const parameter = `${/^[A-Za-z]\w*$/.test(key) && !key.includes('__') ? `attributes__${key}` : `attributes[${key}]`}__${operator}`
  const message = isDefined
    ? `must be a date such as 2026-01-31: the project defines ${key} as a date`
    : `is a date, and ${key} is not known to hold dates; define ${key} as a date first, PUT /attributes`
  return { parameter, code: 'invalid_value', message }
}
