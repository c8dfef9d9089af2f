import type pg from 'pg'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { connectionUrl } from '../database/test-database.ts'
import { scaled } from '../faults/scale.ts'
import { commandRunner } from '../processes/command-runner.ts'
import type { Pool } from './client.ts'
import { countHits } from './count-hits.ts'
import { openAccess } from './open-access.ts'
import { startLoad } from './start-load.ts'
import type { RunCommand } from './writes/command-writes.ts'

/** Of the responses that can come from memory. With fewer, the test would hardly test the cache. */
const leastHitShare = 0.1

/** Starts writers and readers of new projects. */
export async function startShops(pool: Pool, connection: pg.ClientConfig, previous?: RunCommand) {
  const database = openDatabase({ connection, poolSize: 3, statementTimeoutSeconds: 30 })
  const { catalog } = commandRunner({ DATABASE_URL: connectionUrl(connection) })
  const load = await startLoad(pool, database, previous ? alternate(catalog, previous) : catalog, {
    ...(await openAccess(database, { projects: scaled(2, 5), readers: scaled(10, 20) })),
    writers: scaled(4, 20),
    readsBetweenWrites: scaled(80, 1_200),
  })
  const counting = countHits(pool)
  const began = performance.now()
  return {
    ...load,
    /** Waits for that many reads in total. */
    untilReads: (count: number) =>
      expect.poll(load.reads, { interval: 20, timeout: 3_600_000 }).toBeGreaterThan(count),
    /** Ends the load and expects that nothing was stale, lost or rejected, and that many responses came from memory. */
    async expectFresh(): Promise<string[]> {
      const seconds = (performance.now() - began) / 1_000
      const { problems, unchanged } = await load.stop()
      const { hits, requests } = await counting.stop()
      await database.close()
      expect(problems).toEqual({ violations: [], disordered: [], lost: [], rejected: [] })
      expect(hits / requests).toBeGreaterThan(leastHitShare)
      const writes = load.writes.values().reduce((sum, count) => sum + count, 0)
      const number = (value: number) => Math.round(value).toLocaleString('en-US')
      return [
        `${number(writes)} writes of ${load.writes.size} kinds`,
        `${number(hits)} responses (${number((100 * hits) / requests)}%) came from memory`,
        `${number(unchanged)} were 304`,
        `${number(seconds)} s`,
      ]
    },
  }
}

function alternate(...runs: RunCommand[]): RunCommand {
  let turn = 0
  return (args) => (runs[turn++ % runs.length] as RunCommand)(args)
}
