import { raw, type Sql, sql } from '../sql.ts'

/** So many rows a statement may bring and still have a plan that is kept; more are planned each time. */
export const maxRowsOfCachedPlan = 100

/** Objects as rows of one column, `line`, in a from clause: JSON, one a line, takes half as long to read as a recordset. */
export function jsonRows(objects: readonly object[]): Sql {
  const lines = objects.map((object) => JSON.stringify(object))
  // Offset 0, so that a line is parsed once and not for each of its fields.
  if (lines.length === 1) return sql`(select ${lines[0]}::jsonb as line offset 0) as lines`
  // The planner takes any text for a thousand lines; the limit tells it that there are fewer.
  const limit = lines.length > maxRowsOfCachedPlan ? raw('') : raw(`limit ${maxRowsOfCachedPlan}`)
  return sql`(select line::jsonb as line from string_to_table(${lines.join('\n')}, chr(10)) as line ${limit} offset 0) as lines`
}

/** The value of a key of a jsonb expression, as a type of PostgreSQL. */
export function jsonValue(json: string, key: string, type: string): Sql {
  if (type === 'jsonb') return raw(`${json} -> '${key}'`)
  return raw(type === 'text' ? `${json} ->> '${key}'` : `(${json} ->> '${key}')::${type}`)
}

/** Values as the text of an array of PostgreSQL; for numbers and for words that need no quotes. */
export function arrayText(values: readonly (number | string)[]): string {
  return `{${values.join()}}`
}
