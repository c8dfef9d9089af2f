import type { Queryable } from '../database.ts'
import { type Sql, sql } from '../sql.ts'

/** A kind of row that requests read one at a time, by a key. */
export type BatchedRead<Key, Row> = {
  keyOf: (key: Key) => string
  /** The rows that have one of these keys. */
  select: (keys: Key[]) => Sql
  keyOfRow: (row: Row) => string
  /** Makes the row from its JSON. */
  fromJson?: (row: Row) => Row
  /** Fewer where rows may be large: those of one statement are in memory together. */
  keysPerStatement?: number
  /** Reads of different groups do not wait for each other's rows. */
  groupOf?: (key: Key) => number
}

type Waiter<Row> = { resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }
type Wanted<Key, Row> = { id: string; key: Key; waiters: Waiter<Row>[] }

/**
 * Point reads of one kind that arrive in one turn of the event loop, or while the statement before is under way, share one
 * statement. Each still reads the database after its request's headers arrived, so nothing here is older than that. Rows come
 * as JSON, which costs less to read than columns.
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
  /** The keys that callers want of each group that is being read. */
  const groups = new Map<number, Map<string, Wanted<Key, Row>>>()

  async function run(group: number): Promise<void> {
    for (;;) {
      const wanted = [...(groups.get(group)?.values() ?? [])]
      if (wanted.length === 0) break
      groups.set(group, new Map())
      for (let from = 0; from < wanted.length; from += keysPerStatement)
        await settle(wanted.slice(from, from + keysPerStatement))
      // Whatever arrived meanwhile is read from its socket first, and comes along.
      await new Promise((resolve) => setImmediate(resolve))
    }
    groups.delete(group)
  }

  async function settle(some: Wanted<Key, Row>[]): Promise<void> {
    try {
      const found = await load(some.map(({ key }) => key))
      for (const { id, waiters } of some) for (const { resolve } of waiters) resolve(found.get(id))
    } catch (error) {
      for (const { waiters } of some) for (const { reject } of waiters) reject(error)
    }
  }

  async function load(keys: Key[]): Promise<Map<string, Row>> {
    const rows = await database.query(
      sql<{ row: Row }>`select to_json(found) as row from (${select(keys)}) as found`,
    )
    return new Map(rows.map(({ row }) => [keyOfRow(row), fromJson(row)]))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const group = groupOf(key)
      const isRunning = groups.has(group)
      const wanted = groups.getOrInsertComputed(group, () => new Map())
      const id = keyOf(key)
      wanted.getOrInsertComputed(id, () => ({ id, key, waiters: [] })).waiters.push({ resolve, reject })
      if (!isRunning) setImmediate(run, group)
    })
}
