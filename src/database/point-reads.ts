import type { Queryable } from './database.ts'
import { join, raw, type Sql, sql } from './sql.ts'

/** A kind of row that requests read one at a time, by a key. */
export type PointRead<Key, Row> = {
  keyOf: (key: Key) => string
  /** The rows that have one of these keys. */
  select: (keys: Key[]) => Sql
  keyOfRow: (row: Row) => string
  /** From what the row is as JSON. */
  fromJson?: (row: Row) => Row
}

export type PointReader = <Key, Row>(read: PointRead<Key, Row>) => (key: Key) => Promise<Row | undefined>

type AnyRead = PointRead<unknown, unknown>
type Waiting = {
  kind: number
  key: unknown
  id: string
  resolve: (row: unknown) => void
  reject: (error: unknown) => void
}

const keysPerStatement = 500

/**
 * Point reads that arrive in one turn of the event loop, or while the statement before is under way, share one statement,
 * whatever their kinds. Each still reads the database after its request's headers arrived, so nothing here is older than that.
 */
export function openPointReads(database: Queryable): PointReader {
  const kinds: AnyRead[] = []
  let waiting: Waiting[] = []
  let busy = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = batch.splice(keysPerStatement)
      await settle(batch)
      // Whatever arrived meanwhile is read from its socket first, and comes along.
      await new Promise((resolve) => setImmediate(resolve))
    }
    busy = false
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const found = await load(batch)
      for (const { kind, id, resolve } of batch) resolve(found[kind]?.get(id))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** For each kind its rows by key. */
  async function load(batch: Waiting[]): Promise<Map<string, unknown>[]> {
    const wanted = kinds.map(() => new Map<string, unknown>())
    for (const { kind, id, key } of batch) wanted[kind]?.set(id, key)
    const arms = kinds.flatMap(({ select }, kind) => {
      const keys = [...(wanted[kind]?.values() ?? [])]
      if (keys.length === 0) return []
      return sql`select ${raw(String(kind))} as kind, to_json(found) as row from (${select(keys)}) as found`
    })
    const rows = await database.query(sql<{ kind: number; row: unknown }>`${join(arms, ' union all ')}`)
    const found = kinds.map(() => new Map<string, unknown>())
    for (const { kind, row } of rows) {
      const { keyOfRow, fromJson } = kinds[kind] as AnyRead
      found[kind]?.set(keyOfRow(row), fromJson === undefined ? row : fromJson(row))
    }
    return found
  }

  function kindOf(read: AnyRead): number {
    const known = kinds.indexOf(read)
    return known === -1 ? kinds.push(read) - 1 : known
  }

  return <Key, Row>(read: PointRead<Key, Row>) => {
    const kind = kindOf(read as unknown as AnyRead)
    return (key: Key) =>
      new Promise<Row | undefined>((resolve, reject) => {
        waiting.push({ kind, key, id: read.keyOf(key), resolve: resolve as (row: unknown) => void, reject })
        if (busy) return
        busy = true
        setImmediate(run)
      })
  }
}
