import template, { type Sql } from 'sql-template-tag'

export { join, raw } from 'sql-template-tag'
export type { Sql }

/** A statement whose rows have the type Row. Values become parameters; nested statements are spliced in. */
export type Statement<Row> = Sql & {
  readonly row?: Row
  plannedAnew?: boolean
  broad?: boolean
  /** Which connections it runs on outside a transaction; reads where nothing is said. */
  connectionClass?: 'lists' | 'writes'
  /** Whose statement it is, where projects have to leave room for each other. */
  project?: number | undefined
}

export function sql<Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Row> {
  return template(strings, ...values)
}

/** A statement that changes something. One that is not marked so is refused outside a transaction: reads have read-only connections. */
export function write<Row>(statement: Statement<Row>, project?: number): Statement<Row> {
  return Object.assign(statement, { connectionClass: 'writes' as const, project })
}

/** A statement that reads much for each of its rows; point reads do not wait for it. */
export function listing<Row>(statement: Statement<Row>): Statement<Row> {
  return Object.assign(statement, { connectionClass: 'lists' as const })
}

/** A statement that may look at very many rows: few of them run at once, and the others' connections stay free. */
export function broad<Row>(statement: Statement<Row>): Statement<Row> {
  return Object.assign(listing(statement), { broad: true })
}

/** Where the best plan depends on the values, as with the filters of a list. All other statements are planned once. */
export function plannedAnew<Row>(statement: Statement<Row>): Statement<Row> {
  return Object.assign(listing(statement), { plannedAnew: true })
}
