import { createBatcher, type PendingItem } from '../../scheduling/batcher.ts'
import type { Queryable } from '../database.ts'
import { failureForWaiting } from '../failures.ts'
import { type Sql, sql } from '../sql.ts'

/** A kind of row that each request reads by key. */
export type BatchedRead<Key, Row> = {
  keyOf: (key: Key) => string
  /** The rows that have one of these keys. */
  select: (keys: Key[]) => Sql
  keyOfRow: (row: Row) => string
  /** Creates the row from its JSON. */
  fromJson?: (row: Row) => Row
  /** Lower if rows can be large, because all rows of a statement are in memory at the same time. */
  keysPerStatement?: number
  /** Reads of different groups do not wait for each other's rows. */
  groupOf?: (key: Key) => number
}

/** A value that each request reads by key, and that can be loaded for several keys at once. */
export type BatchedLoad<Key, Value> = {
  keyOf: (key: Key) => string
  load: (keys: Key[]) => Promise<Map<number | string, Value>>
  /** Called before each statement. */
  keysPerStatement: () => number
  groupOf: (key: Key) => number | string
  /** How many statements of a group can run at once. */
  atOnce?: number
}

/**
 * Point reads of one kind that arrive in one turn of the event loop, or while the previous statement runs, share one
 * statement. Rows are returned as JSON, which is faster to read than columns.
 */
export function batchReads<Key, Row>(
  database: Queryable,
  {
    keyOf,
    select,
    keyOfRow,
    fromJson = (row) => row,
    keysPerStatement = 500,
    groupOf = () => 0,
  }: BatchedRead<Key, Row>,
): (key: Key) => Promise<Row | undefined> {
  async function load(keys: Key[]): Promise<Map<string, Row>> {
    const rows = await database.query(
      sql<{ row: Row }>`select to_json(found) as row from (${select(keys)}) as found`,
    )
    return new Map(rows.map(({ row }) => [keyOfRow(row), fromJson(row)]))
  }
  return batchByKey({ keyOf, load, keysPerStatement: () => keysPerStatement, groupOf })
}

/** The statement starts after the headers of each caller's request arrived, so no caller gets older data. */
export function batchByKey<Key, Value>({
  load,
  keysPerStatement,
  ...batching
}: BatchedLoad<Key, Value>): (key: Key) => Promise<Value | undefined> {
  async function run(batch: PendingItem<Key, Value | undefined>[]): Promise<unknown> {
    try {
      const found = await load(batch.map(({ item }) => item))
      for (const { key, resolve } of batch) resolve(found.get(key))
      return undefined
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return failureForWaiting(error)
    }
  }
  return createBatcher({ ...batching, join: () => {}, maxItems: keysPerStatement, run })
}
