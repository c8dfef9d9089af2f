import { expect, test } from 'vitest'
import { serve } from '../processes/catalog-process.ts'
import { bearer } from '../processes/served-shop.ts'
import { percentile99, recordFigures } from './figures.ts'
import { createLargeShop } from './large-shop.ts'
import { readLate } from './late-reader.ts'
import { peakMemory } from './peak-memory.ts'

const readsAtOnce = 4
const reads = 1_500
const clientsOfRoute = 80

type Measured = { p99: number; rejected: number }

/** Reads another project. Each response is 200, or 503 `too_busy`, which is counted. */
async function measureOthers(url: string, token: string): Promise<Measured> {
  const durations: number[] = []
  let rejected = 0
  const readOften = async () => {
    for (let read = 0; read < reads / readsAtOnce; read += 1) {
      const began = performance.now()
      const response = await fetch(`${url}/v2/products`, { headers: bearer(token) })
      const { code } = (await response.json()) as { code?: string }
      if (response.status !== 200) {
        expect([response.status, code]).toEqual([503, 'too_busy'])
        rejected += 1
      }
      durations.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, readOften))
  return { p99: percentile99(durations), rejected }
}

test('fault 25: hundreds of slow readers on every route with large responses do not slow down other clients', async (context) => {
  const shop = await createLargeShop()
  const service = await serve(['--log-level', 'silent'], { DATABASE_URL: shop.url })
  const idle = await measureOthers(service.url, shop.otherToken)
  const routes: [string | undefined, (client: number) => string][] = [
    [shop.token, (client) => `/v2/products/${shop.ids[client % shop.ids.length]}`],
    [shop.token, (client) => `/v2/products?expand=detail&page_size=7&page=${1 + (client % 8)}`],
    [shop.token, () => '/v2/products/export'],
    [shop.token, () => '/v2/products/export?format=csv'],
    [undefined, () => '/openapi.json'],
    [undefined, () => '/docs'],
  ]
  const late = routes.flatMap(([token, path]) =>
    Array.from({ length: clientsOfRoute }, (_, client) => readLate(service, token, path(client))),
  )
  const loaded = await measureOthers(service.url, shop.otherToken)
  // On a busy machine, reading a page of 7 MB for a late reader can also exceed the statement timeout.
  const allowed = new Set(['200', '503 too_busy', '503 query_timeout'])
  expect((await Promise.all(late)).filter((response) => !allowed.has(response))).toEqual([])
  expect(peakMemory(service)).toBeLessThan(600)
  // 100 ms and no rejection on an idle machine. On a busy one, the reads before the load give the bound.
  expect(loaded.p99).toBeLessThan(Math.max(200, 5 * idle.p99))
  expect(idle.rejected).toBe(0)
  expect(loaded.rejected).toBeLessThanOrEqual(reads / 100)
  const notes = [
    `p99 of other clients: ${Math.round(loaded.p99)} ms, ${Math.round(idle.p99)} ms without slow readers`,
    `${loaded.rejected} of ${reads} reads by other clients rejected`,
    `maximum memory: ${peakMemory(service)} MB`,
  ]
  recordFigures(context, {
    tried: late.length,
    of: 'clients on six routes at once',
    survived: late.length,
    lost: 0,
    notes,
  })
  await service.stop()
})
