import { expect } from 'vitest'
import { scaled } from '../faults/scale.ts'
import type { CommandRunner } from '../processes/command-runner.ts'
import { newToken } from '../processes/served-shop.ts'
import type { Pool } from './client.ts'
import { startLoad } from './start-load.ts'

const projects = scaled(2, 5)
/** With fewer, the test would hardly test the cache. */
const leastHitShare = 0.05

/** Starts writers and readers of new projects. */
export async function startShops(pool: Pool, commands: CommandRunner) {
  const tokens: string[] = []
  for (let place = 0; place < projects; place += 1) {
    const { project, token } = await newToken(commands)
    await commands.catalog(['project', 'set', project, '--rate-limit', 'none'])
    tokens.push(token)
  }
  const load = await startLoad(pool, {
    tokens,
    writers: scaled(4, 20),
    readers: scaled(10, 20),
    readsBetweenWrites: scaled(100, 2_000),
  })
  return {
    ...load,
    /** Waits for that many reads in total. */
    untilReads: (count: number) =>
      expect.poll(load.reads, { interval: 20, timeout: 900_000 }).toBeGreaterThan(count),
    /** Ends the load and expects that nothing was stale, lost or rejected, and that many responses came from memory. */
    async expectFresh(): Promise<string[]> {
      const { violations, lost, rejected, unchanged } = await load.stop()
      expect({ violations, lost, rejected }).toEqual({ violations: [], lost: [], rejected: [] })
      const hitShare = await readHitShare(pool)
      expect(hitShare).toBeGreaterThan(leastHitShare)
      const number = (value: number) => value.toLocaleString('en-US')
      return [
        `${number(load.writes())} writes`,
        `${Math.round(hitShare * 100)} % of the responses came from memory`,
        `${number(unchanged)} were 304`,
      ]
    },
  }
}

/** Of the requests that the cache can serve, since the services started. */
async function readHitShare(pool: Pool): Promise<number> {
  const counts = { hit: 0, all: 0 }
  for (let place = 0; place < pool.count; place += 1) {
    const metrics = await (await fetch(`${await pool.urlOf(place)}/metrics`)).text()
    for (const [, result, count] of metrics.matchAll(
      /^catalog_cache_requests_total\{result="(\w+)"\} (\d+)/gm,
    )) {
      if (result === 'hit') counts.hit += Number(count)
      counts.all += Number(count)
    }
  }
  return counts.hit / Math.max(1, counts.all)
}
