import { type Sql, sql } from '../sql.ts'

/*
 * The size of a value before serialization, at almost no cost: the length of a text is in its header, and a jsonb is
 * decompressed only if it is stored compressed. JSON escapes are not counted.
 */

export function textBytes(column: Sql): Sql {
  return sql`octet_length(${column})`
}

export function jsonbBytes(column: Sql): Sql {
  return sql`case when pg_column_compression(${column}) is null
    then pg_column_size(${column}) else pg_column_size(${column} #> '{}') end`
}
