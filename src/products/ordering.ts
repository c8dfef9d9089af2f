import { join, raw, type Sql } from '../database/sql.ts'
import { nearest } from '../http/nearest.ts'
import { Problem } from '../http/problems.ts'
import { orderingFields } from './product.schema.ts'

/** `-price,name` as an order by; the id breaks ties, so that a walk over the pages meets every product once. */
export function readOrdering(text = 'id'): Sql {
  const seen = new Set<string>()
  const terms = text.split(',').map((term) => {
    const descending = term.startsWith('-')
    const field = descending ? term.slice(1) : term
    if (!(orderingFields as readonly string[]).includes(field))
      throw fault(`cannot sort by "${field}"${nearest(field, orderingFields)}`)
    if (seen.has(field)) throw fault(`names ${field} twice`)
    seen.add(field)
    // Only names from the list above get here. Products without a price come last either way.
    return raw(`${field}${descending ? ' desc' : ''}${field === 'price' ? ' nulls last' : ''}`)
  })
  if (!seen.has('id')) terms.push(raw('id'))
  return join(terms)
}

function fault(message: string): Problem {
  return new Problem('invalid_parameters', {
    errors: [{ parameter: 'ordering', code: 'invalid_value', message }],
  })
}
