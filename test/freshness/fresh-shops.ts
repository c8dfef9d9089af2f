import { expect } from 'vitest'
import { scaled } from '../faults/scale.ts'
import type { CommandRunner } from '../processes/command-runner.ts'
import { newToken } from '../processes/served-shop.ts'
import type { Pool } from './client.ts'
import { startLoad } from './start-load.ts'

const projects = scaled(2, 5)

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
    pauseMilliseconds: scaled(100, 250),
  })
  return {
    ...load,
    /** Waits for that many reads in total. */
    untilReads: (count: number) =>
      expect.poll(load.reads, { interval: 20, timeout: 900_000 }).toBeGreaterThan(count),
    /** Ends the load and expects that nothing was stale, lost or rejected. */
    async expectFresh(): Promise<string> {
      const { violations, lost, rejected, unchanged } = await load.stop()
      expect({ violations, lost, rejected }).toEqual({ violations: [], lost: [], rejected: [] })
      const number = (value: number) => value.toLocaleString('en-US')
      return `${number(load.writes())} writes; ${number(unchanged)} reads returned 304`
    },
  }
}
