import { Type } from 'typebox'
import { ProductQuerySchema, productFilters } from '../../catalog/products/product-list.schema.ts'
import { searchErrors } from '../../catalog/products/search-errors.ts'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import { parseQueryString } from '../../platform/http/query/query-string.ts'
import { compileQuery } from '../../platform/http/query/validate-query.ts'

const { ordering, page_size } = ProductQuerySchema.properties

/** The parameters of the list that a view stores. The page number is not one of them. */
const read = compileQuery(
  Type.Object({
    ...productFilters,
    ordering,
    page_size,
    columns: Type.Optional(Type.String({ minLength: 1 })),
    /** The language or market of the list, which the console sends as `view`. */
    market: Type.Optional(Type.String({ pattern: viewCodePattern })),
  }),
)

/** Returns the query string without a question mark. Rejects a query that the list would reject. */
export function readView(text: string): string {
  const query = text.replace(/^\?/, '')
  const { pairs, malformed } = parseQueryString(query)
  if (malformed)
    throw invalidQuery([
      {
        pointer: '/query',
        code: 'invalid_format',
        message: 'must be a query string in percent-encoded UTF-8 without NUL, such as search=red%20shoe',
      },
    ])
  const result = read({ pairs, malformed })
  const errors = 'error' in result ? (result.error.extras.errors ?? []) : searchErrors(result.value)
  if (errors.length > 0) throw invalidQuery(errors.map(asBodyError))
  return query
}

function asBodyError(error: InputError): InputError {
  if (!('parameter' in error)) return error
  return { pointer: '/query', code: error.code, message: `${error.parameter} ${error.message}` }
}

function invalidQuery(errors: InputError[]): Problem {
  return new Problem('invalid_body', { errors })
}
