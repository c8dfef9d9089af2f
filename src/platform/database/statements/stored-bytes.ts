import { type Sql, sql } from '../sql.ts'

/*
 * How large a value is before it becomes text of an answer, at next to no cost: the length of a text stands in its header,
 * and a jsonb is only unpacked where it was compressed. Escapes that JSON needs are not counted.
 */

export function textBytes(column: Sql): Sql {
  return sql`octet_length(${column})`
}

export function jsonbBytes(column: Sql): Sql {
  return sql`case when pg_column_compression(${column}) is null
    then pg_column_size(${column}) else pg_column_size(${column} #> '{}') end`
}
