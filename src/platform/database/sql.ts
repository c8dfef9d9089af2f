import template, { type Sql } from 'sql-template-tag'

export { empty, join, raw } from 'sql-template-tag'
export type { Sql }

/** A statement whose rows have the type Row. Values become parameters; nested statements are spliced in. */
export type Statement<Row> = Sql & {
  readonly row?: Row
  planEachTime?: boolean
  broad?: boolean
  /** The connections that the statement uses outside a transaction; by default those of reads. */
  connectionClass?: 'lists' | 'writes'
  /** The project of the statement, in classes where projects share connections. */
  project?: number | undefined
  /** Ends the wait for a connection. */
  signal?: AbortSignal
}

export function sql<Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Row> {
  return template(strings, ...values)
}

/** A statement that writes. Unmarked statements outside a transaction use read-only connections. */
export function write<Row>(statement: Statement<Row>, project?: number): Statement<Row> {
  return Object.assign(statement, { connectionClass: 'writes' as const, project })
}

/** A statement that reads much data per row; point reads do not wait for it. */
export function listing<Row>(statement: Statement<Row>): Statement<Row> {
  return Object.assign(statement, { connectionClass: 'lists' as const })
}

/** A statement that can read very many rows: only a few run at once, so that others have free connections. */
export function broad<Row>(statement: Statement<Row>): Statement<Row> {
  return Object.assign(listing(statement), { broad: true })
}

/** A statement whose best plan depends on its values, as with the filters of a list. All others are planned once. */
export function planEachTime<Row>(statement: Statement<Row>): Statement<Row> {
  return Object.assign(listing(statement), { planEachTime: true })
}
