import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { compileCache } from '../../test/processes/catalog-process.ts'
import { loadConfig } from '../config.ts'
import { rateLimitMemory } from '../platform/http/limits/rate-limit.ts'
import { sharedCountersMemory } from '../platform/http/metrics/shared-counters.ts'
import { poolWorkers } from './workers.ts'

test('a worker that cannot start is reported and removed', async () => {
  // What commands have compiled before is not compiled again.
  vi.stubEnv('NODE_COMPILE_CACHE', compileCache.NODE_COMPILE_CACHE)
  onTestFinished(() => void vi.unstubAllEnvs())
  // An address of documentation's own network: no machine has it.
  const config = loadConfig({ host: '203.0.113.7', port: 0, logLevel: 'silent' }, {})
  const memory = { rateLimits: rateLimitMemory(), metrics: sharedCountersMemory(2) }
  const pool = poolWorkers({ config, connection: inject('connection'), ...memory })
  await expect(pool.start(1)).rejects.toThrow('203.0.113.7 is not an address of this machine')
  await expect.poll(() => pool.size()).toBe(0)
  await pool.stop()
})
