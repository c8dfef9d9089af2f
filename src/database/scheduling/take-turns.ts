import type { Writable } from '../database.ts'
import { limitConcurrency } from './concurrency-limit.ts'

/**
 * The same database for work of many hands: one of its statements or transactions at a time waits for a connection, so that whoever
 * shares the connection has to wait for one of them at most.
 */
export function takeTurns(database: Writable): Writable {
  const turns = limitConcurrency({ most: 1, patienceSeconds: 0 })
  return {
    query: (statement) => turns.run(() => database.query(statement)),
    transaction: (work, limits) => turns.run(() => database.transaction(work, limits)),
  }
}
