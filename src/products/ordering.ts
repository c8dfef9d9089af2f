import { join, raw, type Sql } from '../database/sql.ts'

/**
 * `-price,name`, checked already, as an order by. The id breaks ties, so that a walk over the pages meets every product
 * once, in the direction of the last field, so that one index serves both directions. No price comes last in both.
 */
export function orderBy(ordering = 'id'): Sql {
  const fields = ordering.split(',')
  const last = fields.at(-1)?.startsWith('-') ? '-id' : 'id'
  const terms = fields.some((term) => /^-?id$/.test(term)) ? fields : [...fields, last]
  return join(terms.map(term))
}

function term(text: string): Sql {
  const field = text.replace(/^-/, '')
  const direction = text === field ? 'asc' : 'desc'
  return raw(`product.${field} ${direction}${field === 'price' ? ' nulls last' : ''}`)
}
