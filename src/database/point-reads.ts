import type { Queryable } from './database.ts'
import { type Sql, sql } from './sql.ts'

/** A kind of row that requests read one at a time, by a key. */
export type PointRead<Key, Row> = {
  keyOf: (key: Key) => string
  /** The rows that have one of these keys. */
  select: (keys: Key[]) => Sql
  keyOfRow: (row: Row) => string
  /** From what the row is as JSON. */
  fromJson?: (row: Row) => Row
}

type Waiting<Row> = { id: string; resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

const keysPerStatement = 500

/**
 * Point reads of one kind that arrive in one turn of the event loop, or while the statement before is under way, share one
 * statement. Each still reads the database after its request's headers arrived, so nothing here is older than that. Rows come
 * as JSON, which costs less to read than columns.
 */
export function pointReader<Key, Row>(
  database: Queryable,
  { keyOf, select, keyOfRow, fromJson = (row) => row }: PointRead<Key, Row>,
): (key: Key) => Promise<Row | undefined> {
  let keys = new Map<string, Key>()
  let waiting: Waiting<Row>[] = []
  let busy = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const wanted = keys
      const batch = waiting
      keys = new Map()
      waiting = []
      await settle(wanted, batch)
      // Whatever arrived meanwhile is read from its socket first, and comes along.
      await new Promise((resolve) => setImmediate(resolve))
    }
    busy = false
  }

  async function settle(wanted: Map<string, Key>, batch: Waiting<Row>[]): Promise<void> {
    try {
      const found = await load([...wanted.values()])
      for (const { id, resolve } of batch) resolve(found.get(id))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function load(wanted: Key[]): Promise<Map<string, Row>> {
    const found = new Map<string, Row>()
    for (let from = 0; from < wanted.length; from += keysPerStatement) {
      const some = select(wanted.slice(from, from + keysPerStatement))
      const rows = await database.query(
        sql<{ row: Row }>`select to_json(found) as row from (${some}) as found`,
      )
      for (const { row } of rows) found.set(keyOfRow(row), fromJson(row))
    }
    return found
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const id = keyOf(key)
      keys.set(id, key)
      waiting.push({ id, resolve, reject })
      if (busy) return
      busy = true
      setImmediate(run)
    })
}
