import { expect, inject, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { rateLimitMemory } from '../http/limits/rate-limit.ts'
import { metricsMemory } from '../http/metrics/ledger.ts'
import { makeCrew } from './workers.ts'

test('a worker that cannot start is told, and forgotten', async () => {
  // An address of documentation's own network: no machine has it.
  const config = loadConfig({ host: '203.0.113.7', port: 0, logLevel: 'silent' }, {})
  const memory = { rateLimits: rateLimitMemory(), metrics: metricsMemory(2) }
  const crew = makeCrew({ config, connection: inject('connection'), ...memory })
  await expect(crew.hire(1)).rejects.toThrow('203.0.113.7 is no address of this machine')
  await expect.poll(() => crew.size(), { timeout: 20_000 }).toBe(0)
  await crew.dismiss()
})
