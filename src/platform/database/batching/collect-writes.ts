import type { Queryable } from '../database.ts'
import { failureOf } from '../failures.ts'

/**
 * Collects values by key in memory, so that no request waits for the write. A flush writes them together. Values that could not be written
 * wait for the next flush, unless they may already have been written.
 */
export function collectWrites<Value>(
  merge: (collected: Value, added: Value) => Value,
  write: (database: Queryable, values: ReadonlyMap<number, Value>) => Promise<unknown>,
) {
  let values = new Map<number, Value>()

  function add(key: number, value: Value): void {
    const collected = values.get(key)
    values.set(key, collected === undefined ? value : merge(collected, value))
  }

  return {
    add,
    async flush(database: Queryable): Promise<void> {
      if (values.size === 0) return
      const taken = values
      values = new Map()
      try {
        await write(database, taken)
      } catch (error) {
        if (failureOf(error) !== 'outcome_unknown') for (const [key, value] of taken) add(key, value)
        throw error
      }
    },
  }
}
