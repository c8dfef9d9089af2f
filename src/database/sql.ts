import template, { type Sql } from 'sql-template-tag'

export { join, raw } from 'sql-template-tag'
export type { Sql }

/** A statement whose rows have the type Row. Values become parameters; nested statements are spliced in. */
export type Statement<Row> = Sql & { readonly row?: Row; plannedAnew?: boolean; broad?: boolean }

export function sql<Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Row> {
  return template(strings, ...values)
}

/** A statement that may look at very many rows: few of them run at once, and the others' connections stay free. */
export function broad<Row>(statement: Statement<Row>): Statement<Row> {
  statement.broad = true
  return statement
}

/** Where the best plan depends on the values, as with the filters of a list. All other statements are planned once. */
export function plannedAnew<Row>(statement: Statement<Row>): Statement<Row> {
  statement.plannedAnew = true
  return statement
}
