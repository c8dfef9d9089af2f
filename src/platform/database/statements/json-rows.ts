import { raw, type Sql, sql } from '../sql.ts'

/** A statement with at most this many rows uses a cached plan; larger ones are planned each time. */
export const maxRowsOfCachedPlan = 100

/** Objects as rows with one column, `line`, for a from clause. One JSON object per line takes half as long as a recordset. */
export function jsonRows(objects: readonly object[]): Sql {
  const lines = objects.map((object) => JSON.stringify(object))
  // Offset 0 makes PostgreSQL parse a line once instead of once per field.
  if (lines.length === 1) return sql`(select ${lines[0]}::jsonb as line offset 0) as lines`
  // The planner assumes a thousand lines; the limit corrects that.
  const limit = lines.length > maxRowsOfCachedPlan ? raw('') : raw(`limit ${maxRowsOfCachedPlan}`)
  return sql`(select line::jsonb as line from string_to_table(${lines.join('\n')}, chr(10)) as line ${limit} offset 0) as lines`
}

/** The value of a key in a jsonb expression, cast to a PostgreSQL type. */
export function jsonValue(json: string, key: string, type: string): Sql {
  if (type === 'jsonb') return raw(`${json} -> '${key}'`)
  return raw(type === 'text' ? `${json} ->> '${key}'` : `(${json} ->> '${key}')::${type}`)
}

/** A PostgreSQL array literal of numbers, or of words that need no quotes. */
export function arrayText(values: readonly (number | string)[]): string {
  return `{${values.join()}}`
}
