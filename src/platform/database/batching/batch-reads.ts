import { createBatcher, type PendingItem, settle } from '../../scheduling/batcher.ts'
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

/** A read with the ID of its result. Its signal aborts when the signals of all callers have aborted. */
type SharedRead<Value> = {
  id: string
  load: (signal: AbortSignal) => Promise<Value>
  /** Without a signal, the caller waits for the read even if its client has disconnected. */
  signal: AbortSignal | undefined
}

export type ShareReads<Value> = (read: SharedRead<Value>) => Promise<Value>

/**
 * Reads with the same ID that arrive in one turn, or while such a read runs, share the next run and its value. A list that
 * many clients request at once is then read once at a time; each caller still reads after its request arrived.
 */
export function shareReads<Value>(): ShareReads<Value> {
  type Joined = Pick<SharedRead<Value>, 'id' | 'load'> & { signals: (AbortSignal | undefined)[] }
  const share = createBatcher<Joined, Value>({
    groupOf: ({ id }) => id,
    keyOf: ({ id }) => id,
    join: (first, { signals }) => void first.signals.push(...signals),
    maxItems: () => 1,
    run: async ([one]) =>
      one && failureForWaiting(await settle(one, ({ load, signals }) => load(whenAllAbort(signals)))),
  })
  return ({ id, load, signal }) => share({ id, load, signals: [signal] })
}

const neverAborts = new AbortController().signal

function whenAllAbort(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  if (signals.includes(undefined)) return neverAborts
  const all = new AbortController()
  let present = signals.length
  for (const signal of signals) {
    const leave = () => {
      present -= 1
      if (present === 0) all.abort(signal?.reason)
    }
    if (signal?.aborted === true) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  }
  return all.signal
}
