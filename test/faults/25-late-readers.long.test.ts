import { expect, test } from 'vitest'
import { serve } from '../processes/catalog-process.ts'
import { bearer } from '../processes/served-shop.ts'
import { percentile99, recordFigures } from './figures.ts'
import { makeLargeShop } from './large-shop.ts'
import { readLate } from './late-reader.ts'
import { peakMemory } from './peak-memory.ts'

const readsAtOnce = 4
const reads = 1_500
const clientsOfRoute = 80

type Measured = { p99: number; refused: number }

/** How long reads of a project take that has nothing to do with the slow ones, and how many are answered by 503. */
async function measureOthers(url: string, token: string): Promise<Measured> {
  const durations: number[] = []
  let refused = 0
  const readOften = async () => {
    for (let read = 0; read < reads / readsAtOnce; read += 1) {
      const began = performance.now()
      const answer = await fetch(`${url}/v2/products`, { headers: bearer(token) })
      await answer.arrayBuffer()
      expect([200, 503]).toContain(answer.status)
      if (answer.status === 503) refused += 1
      durations.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, readOften))
  return { p99: percentile99(durations), refused }
}

test('fault 25: hundreds at once, on every route that answers much, with and without a token, leave others their time', async (context) => {
  const shop = await makeLargeShop()
  const service = await serve(['--log-level', 'silent'], { DATABASE_URL: shop.url })
  const calm = await measureOthers(service.url, shop.otherToken)
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
  const statuses = new Set(await Promise.all(late))
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(peakMemory(service)).toBeLessThan(600)
  // 100 ms and none refused on a quiet machine; a busy one tells by the reads before what it can do.
  expect(loaded.p99).toBeLessThan(Math.max(200, 5 * calm.p99))
  expect(loaded.refused).toBeLessThanOrEqual(reads / 100)
  const notes = [
    `p99 of other clients: ${Math.round(loaded.p99)} ms, ${Math.round(calm.p99)} ms without slow readers`,
    `${loaded.refused} of ${reads} reads by other clients rejected`,
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
