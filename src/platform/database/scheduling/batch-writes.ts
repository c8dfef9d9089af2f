import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Transaction } from '../database.ts'
import { asFailure, failureOf, isLockedOut } from '../failures.ts'
import { lockPatienceMilliseconds } from '../open-pool.ts'

/** A kind of write that requests make one at a time. */
export type BatchedWrite<Item, Result> = {
  /** Writes of different projects never wait for each other. */
  projectOf: (item: Item) => number
  /** Two writes of one key are not made together. */
  keyOf: (item: Item) => number | string
  /** About how many characters the write sends. */
  sizeOf: (item: Item) => number
  /** Results in the order of the items. */
  together: (tx: Transaction, items: Item[]) => Promise<Result[]>
  alone: (item: Item) => Promise<Result>
}

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

const mostTogether = 100
const largestTogether = 512 * 1024
/** How long a common transaction may wait for other writers in all; a single wait ends it after 30 ms already. */
const patienceSeconds = 2

/**
 * Writes that arrive in one turn of the event loop, or while the ones before are being made, are made together, in one
 * transaction. Where that fails for what one of them asks, each half is made by itself, until only that one fails. Where one
 * would have to wait for another writer, each is made by itself: only that one waits.
 */
export function batchWrites<Item, Result>(
  database: Database,
  { projectOf, keyOf, sizeOf, together, alone }: BatchedWrite<Item, Result>,
): (item: Item) => Promise<Result> {
  const queues = new Map<number, Waiting<Item, Result>[]>()

  async function run(project: number, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) await write(takeBatch(waiting), waiting)
    queues.delete(project)
  }

  function takeBatch(waiting: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const batch = new Map<number | string, Waiting<Item, Result>>()
    let size = 0
    const later = waiting.splice(0).filter((one) => {
      const key = keyOf(one.item)
      if (batch.size === mostTogether || size >= largestTogether || batch.has(key)) return true
      batch.set(key, one)
      size += sizeOf(one.item)
      return false
    })
    waiting.push(...later)
    return [...batch.values()]
  }

  async function write(batch: Waiting<Item, Result>[], waiting: Waiting<Item, Result>[]): Promise<void> {
    const [first, ...others] = batch
    if (first === undefined) return
    if (others.length === 0)
      return Promise.race([settle(first), sleep(lockPatienceMilliseconds, undefined, { ref: false })])
    try {
      const items = batch.map(({ item }) => item)
      const results = await database.transaction((tx) => together(tx, items), {
        project: projectOf(first.item),
        lockTimeoutMilliseconds: lockPatienceMilliseconds,
        statementTimeoutSeconds: patienceSeconds,
      })
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'database_unavailable') {
        refuse(batch, error)
        refuseInVain(waiting, error)
      } else if (failure === 'outcome_unknown') {
        // Made again, they might be made twice.
        refuse(batch, error)
        refuseInVain(waiting, asFailure((error as Error).cause))
      } else if (failure === 'too_busy') refuse(batch, error)
      else if (failure === 'query_timeout' || isLockedOut(error)) for (const one of batch) void settle(one)
      else {
        const middle = Math.ceil(batch.length / 2)
        await write(batch.slice(0, middle), waiting)
        await write(batch.slice(middle), waiting)
      }
    }
  }

  function refuse(some: Waiting<Item, Result>[], error: unknown): void {
    for (const { reject } of some) reject(error)
  }

  /** The server is away or hangs: those who wait would wait in vain. */
  function refuseInVain(waiting: Waiting<Item, Result>[], error: unknown): void {
    if (failureOf(error) === 'database_unavailable') refuse(waiting.splice(0), error)
  }

  function settle({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    return alone(item).then(resolve, reject)
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      const project = projectOf(item)
      const waiting = queues.get(project)
      if (waiting !== undefined) return void waiting.push({ item, resolve, reject })
      const started = [{ item, resolve, reject }]
      queues.set(project, started)
      setImmediate(run, project, started)
    })
}
