import { setTimeout as sleep } from 'node:timers/promises'
import { databaseLimits } from '../../limits/database.ts'
import { createBatcher, type PendingItem, settle } from '../../scheduling/batcher.ts'
import type { Database, Queryable } from '../database.ts'
import { failureForWaiting, failureOf, isLockedOut } from '../failures.ts'

/** A kind of write of which each request makes one. */
export type BatchedWrite<Item, Result> = {
  /** Writes of different projects never wait for each other. */
  projectOf: (item: Item) => number
  /** Two writes with the same key are not combined. By default, all are. */
  keyOf?: (item: Item) => number | string
  /** The approximate number of characters that the write sends. */
  sizeOf: (item: Item) => number
  /** Results in the order of the items. */
  together: (shared: Queryable, items: Item[]) => Promise<Result[]>
  /** `together` runs a single statement, which commits by itself and saves two round trips. */
  isOneStatement?: boolean
  alone: (item: Item) => Promise<Result>
}

/**
 * Writes that arrive in one turn of the event loop, or while previous ones run, share one transaction. If one of them
 * is invalid, the batch is split in half until only that write fails. If one of them has to wait for another writer, each
 * runs by itself, so that only that one waits.
 */
export function batchWrites<Item, Result>(
  database: Database,
  {
    projectOf,
    keyOf = differentKeys(),
    sizeOf,
    together,
    isOneStatement = false,
    alone,
  }: BatchedWrite<Item, Result>,
): (item: Item) => Promise<Result> {
  type Batch = PendingItem<Item, Result>[]

  async function run(batch: Batch): Promise<unknown> {
    const [first, ...others] = batch
    if (first === undefined) return undefined
    if (others.length === 0) {
      const timeLimit = sleep(databaseLimits.lockMilliseconds, undefined, { ref: false })
      await Promise.race([settle(first, alone), timeLimit])
      return undefined
    }
    try {
      const items = batch.map(({ item }) => item)
      const results = await (isOneStatement
        ? together(database.unwaiting, items)
        : database.transaction((tx) => together(tx, items), {
            project: projectOf(first.item),
            lockTimeoutMilliseconds: databaseLimits.lockMilliseconds,
            statementTimeoutSeconds: databaseLimits.sharedSeconds,
          }))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      return undefined
    } catch (error) {
      return runSeparately(batch, error)
    }
  }

  async function runSeparately(batch: Batch, error: unknown): Promise<unknown> {
    const failure = failureOf(error)
    if (failure === 'query_timeout' || isLockedOut(error)) {
      for (const one of batch) void settle(one, alone)
      return undefined
    }
    // Also after an unknown outcome, because a repeated write might take effect twice.
    if (failure !== undefined) return rejectAll(batch, error, failureForWaiting(error))
    const middle = Math.ceil(batch.length / 2)
    const hopeless = await run(batch.slice(0, middle))
    const rest = batch.slice(middle)
    return hopeless === undefined ? run(rest) : rejectAll(rest, hopeless, hopeless)
  }

  function rejectAll(batch: Batch, error: unknown, hopeless: unknown): unknown {
    for (const { reject } of batch) reject(error)
    return hopeless
  }

  return createBatcher({
    ...{ groupOf: projectOf, keyOf, sizeOf, maxSize: databaseLimits.sharedBytes, run },
    maxItems: () => databaseLimits.sharedWrites,
  })
}

function differentKeys(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}
