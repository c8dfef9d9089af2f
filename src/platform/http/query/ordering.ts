import { Type } from 'typebox'
import { join, raw, type Sql } from '../../database/sql.ts'

/** The parameter of every list that can be sorted; its value is validated when the query is parsed. */
export function orderingParameter(fields: readonly string[], note = '') {
  return Type.Optional(
    Type.String({
      default: 'id',
      description: `Comma-separated list of ${fields.join(', ')}. A leading - means descending. Ties are sorted by id, in the direction of the last field${note}`,
      'x-ordering': fields,
      'x-aliases': ['sort'],
    }),
  )
}

/**
 * The validated `-price,name` as an order by clause. Ties are sorted by ID, so that iterating over the pages returns every row
 * once, and in the direction of the last field, so that one index serves both directions. Rows without a value in a nullable
 * field come last in both directions. `Reversed` returns the same list from its other end. Without a table, the fields are
 * columns of the response, including computed ones.
 */
export function orderBy(
  table: string,
  ordering = 'id',
  nullable: readonly string[] = [],
  isReversed = false,
): Sql {
  const fields = ordering.split(',')
  const last = fields.at(-1)?.startsWith('-') ? '-id' : 'id'
  const terms = fields.some((term) => /^-?id$/.test(term)) ? fields : [...fields, last]
  return join(
    terms.map((term) => {
      const field = term.replace(/^-/, '')
      const direction = (term === field) === isReversed ? 'desc' : 'asc'
      const nulls = nullable.includes(field) ? ` nulls ${isReversed ? 'first' : 'last'}` : ''
      return raw(`${table === '' ? '' : `${table}.`}${field} ${direction}${nulls}`)
    }),
  )
}
