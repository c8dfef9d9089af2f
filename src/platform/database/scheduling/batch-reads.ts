import type { Queryable } from '../database.ts'
import { failureOf } from '../failures.ts'
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
/** What callers want, and how many statements are under way for those before them. */
type Group<Key, Row> = { wanted: Map<string, Wanted<Key, Row>>; running: number }

/** What is read one at a time, by a key, and can be loaded for several keys at once. */
export type BatchedLoad<Key, Value> = {
  keyOf: (key: Key) => string
  load: (keys: Key[]) => Promise<Map<string, Value>>
  /** Asked before each statement. */
  keysPerStatement: () => number
  groupOf: (key: Key) => number | string
  /** How many statements of a group may be under way. */
  atOnce?: number
}

/**
 * Point reads of one kind that arrive in one turn of the event loop, or while the statement before is under way, share one
 * statement. Rows come as JSON, which costs less to read than columns.
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

/** Each caller still reads the database after the headers of its request arrived, so nothing here is older than that. */
export function batchByKey<Key, Value>({
  keyOf,
  load,
  keysPerStatement,
  groupOf,
  atOnce = 1,
}: BatchedLoad<Key, Value>): (key: Key) => Promise<Value | undefined> {
  const groups = new Map<number | string, Group<Key, Value>>()

  function run(name: number | string): void {
    const group = groups.get(name)
    if (group === undefined) return
    while (group.wanted.size > 0 && group.running < atOnce) {
      const some = [...group.wanted.values().take(keysPerStatement())]
      for (const { id } of some) group.wanted.delete(id)
      group.running += 1
      void settle(some).then((failure) => {
        group.running -= 1
        // The server is away or hangs: whoever waits for the next statement would wait for a second time limit.
        if (failureOf(failure) === 'database_unavailable') refuse(group.wanted, failure)
        // Whatever arrived meanwhile is read from its socket first, and comes along.
        setImmediate(run, name)
      })
    }
    if (group.running === 0) groups.delete(name)
  }

  function refuse(wanted: Map<string, Wanted<Key, Value>>, failure: unknown): void {
    for (const { waiters } of wanted.values()) for (const { reject } of waiters) reject(failure)
    wanted.clear()
  }

  /** Returns the error of a statement that failed. */
  async function settle(some: Wanted<Key, Value>[]): Promise<unknown> {
    try {
      const found = await load(some.map(({ key }) => key))
      for (const { id, waiters } of some) for (const { resolve } of waiters) resolve(found.get(id))
      return undefined
    } catch (error) {
      for (const { waiters } of some) for (const { reject } of waiters) reject(error)
      return error
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const name = groupOf(key)
      const group = groups.getOrInsertComputed(name, () => ({ wanted: new Map(), running: 0 }))
      const id = keyOf(key)
      if (group.wanted.size === 0) setImmediate(run, name)
      group.wanted.getOrInsertComputed(id, () => ({ id, key, waiters: [] })).waiters.push({ resolve, reject })
    })
}
