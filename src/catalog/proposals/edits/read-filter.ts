import { Type } from 'typebox'
import { type InputError, Problem } from '../../../platform/http/problems.ts'
import { parseQueryString } from '../../../platform/http/query/query-string.ts'
import type { ParameterSchema } from '../../../platform/http/query/query-values.ts'
import { compileQuery } from '../../../platform/http/query/validate-query.ts'
import { type ProductQuery, ProductQuerySchema, productFilters } from '../../products/product-list.schema.ts'

export type ProductFilters = Omit<ProductQuery, 'page' | 'page_size' | 'ordering' | 'expand'>

const read = compileQuery(Type.Object(productFilters))

/** What pages, sorts and shows a list, by all names that the list takes: it chooses no products. */
const otherNames = new Set(
  Object.entries(ProductQuerySchema.properties as Record<string, ParameterSchema>)
    .filter(([name]) => !(name in productFilters))
    .flatMap(([name, { 'x-aliases': aliases = [] }]) => [name, ...aliases]),
)

/** The filters of a query string of GET /products, read as strictly as there. An empty one means all products. */
export function readFilter(text: string): ProductFilters {
  const { pairs, malformed } = parseQueryString(text.replace(/^\?/, ''))
  if (malformed) {
    const message = 'must be a query string in percent-encoded UTF-8 without NUL, such as search=red%20shoe'
    throw new Problem('invalid_body', { errors: [{ pointer: '/filter', code: 'invalid_format', message }] })
  }
  const others = new Set(pairs.map(([name]) => name).filter((name) => otherNames.has(name)))
  const filters = pairs.filter(([name]) => !others.has(name))
  const result = read({ pairs: filters, malformed })
  const faults = 'error' in result ? (result.error.extras.errors ?? []) : []
  const refused = [...others].map(otherParameter)
  if (refused.length + faults.length > 0)
    throw filterProblem(new Problem('invalid_parameters', { errors: [...refused, ...faults] }))
  return (result as { value: ProductFilters }).value
}

function otherParameter(parameter: string): InputError {
  const message = 'chooses no products; leave it out'
  return { parameter, code: 'unknown_parameter', message }
}

/** Faults of parameters as faults of the body that holds them; prepareFilters finds such faults too. */
export function filterProblem(problem: Problem): Problem {
  if (problem.problemCode !== 'invalid_parameters') return problem
  const errors = (problem.extras.errors ?? []).map((fault) =>
    'parameter' in fault
      ? { pointer: '/filter', code: fault.code, message: `${fault.parameter} ${fault.message}` }
      : fault,
  )
  return new Problem('invalid_body', { errors })
}
