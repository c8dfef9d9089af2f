import { join, raw, type Sql } from '../database/sql.ts'

/** `-price,name`, checked already, as an order by; the id breaks ties, so that a walk over the pages meets every product once. */
export function orderBy(ordering = 'id'): Sql {
  const fields = ordering.split(',')
  const terms = fields.map((term) => {
    const field = term.replace(/^-/, '')
    // Products without a price come last either way.
    return raw(`${field}${term === field ? '' : ' desc'}${field === 'price' ? ' nulls last' : ''}`)
  })
  return join(fields.some((term) => /^-?id$/.test(term)) ? terms : [...terms, raw('id')])
}
