import { Type } from 'typebox'
import { proposalLimits } from '../../model/limits/proposals.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import { parseQueryString } from '../../platform/http/query/query-string.ts'
import type { ParameterSchema } from '../../platform/http/query/query-values.ts'
import { compileQuery } from '../../platform/http/query/validate-query.ts'
import { type ProductQuery, ProductQuerySchema, productFilters } from '../products/product-list.schema.ts'

export const FilterSchema = Type.String({
  maxLength: proposalLimits.filterCharacters,
  description:
    'The filters of `GET /products` as a query string, such as `status=active&price__lte=20`. An empty string matches all products.',
})

export type ProductFilters = Omit<ProductQuery, 'page' | 'page_size' | 'ordering' | 'expand'>

const read = compileQuery(Type.Object(productFilters))

/** List parameters that do not select products: paging, sorting and expansion, with their aliases. */
const otherNames = new Set(
  Object.entries(ProductQuerySchema.properties as Record<string, ParameterSchema>)
    .filter(([name]) => !(name in productFilters))
    .flatMap(([name, { 'x-aliases': aliases = [] }]) => [name, ...aliases]),
)

/** Reads the filters of a GET /products query string, as strictly as that route. An empty string matches all products. */
export function readFilter(text: string): ProductFilters {
  const { pairs, malformed } = parseQueryString(text.replace(/^\?/, ''))
  if (malformed) {
    const message = 'must be a query string in percent-encoded UTF-8 without NUL, such as search=red%20shoe'
    throw new Problem('invalid_body', { errors: [{ pointer: '/filter', code: 'invalid_format', message }] })
  }
  const others = new Set(pairs.map(([name]) => name).filter((name) => otherNames.has(name)))
  const filters = pairs.filter(([name]) => !others.has(name))
  const result = read({ pairs: filters, malformed })
  const filterErrors = 'error' in result ? (result.error.extras.errors ?? []) : []
  const errors = [...[...others].map(otherParameter), ...filterErrors]
  if (errors.length > 0) throw filterProblem(new Problem('invalid_parameters', { errors }))
  return (result as { value: ProductFilters }).value
}

function otherParameter(parameter: string): InputError {
  const message = 'does not select products; remove it'
  return { parameter, code: 'unknown_parameter', message }
}

/** Turns parameter errors, also those of prepareFilters, into errors of the body. */
export function filterProblem(problem: Problem): Problem {
  if (problem.problemCode !== 'invalid_parameters') return problem
  const errors = (problem.extras.errors ?? []).map((error) =>
    'parameter' in error
      ? { pointer: '/filter', code: error.code, message: `${error.parameter} ${error.message}` }
      : error,
  )
  return new Problem('invalid_body', { errors })
}
