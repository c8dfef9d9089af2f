import { Type } from 'typebox'
import { join, raw, type Sql } from '../../database/sql.ts'

/** The parameter of every list with a choice of order; it is checked as a query is read. */
export function orderingParameter(fields: readonly string[]) {
  return Type.Optional(
    Type.String({
      default: 'id',
      description: `Comma list of ${fields.join(', ')}; a leading - means descending; id breaks ties, in the direction of the last field`,
      'x-ordering': fields,
      'x-aliases': ['sort'],
    }),
  )
}

/**
 * `-price,name`, checked already, as an order by. The id breaks ties, so that a walk over the pages meets every row
 * once, in the direction of the last field, so that one index serves both directions. Rows without a value in one of the
 * nullable fields come last in both. Reversed it is the same list from its other end. Without a table the fields are columns of
 * the answer, also those that are counted for it.
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
