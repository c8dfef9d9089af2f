import { chooser, type Distribution, distributions } from './choose.ts'
import { load, type Measured, type Mix } from './load.ts'
import { type Effort, medianOf } from './reads.ts'
import { serveBare, serveCatalog } from './servers/served.ts'
import { readText, type Shop } from './shop.ts'
import { listPath, readPages, searchCount, searchPath, valueCount, valuePath } from './works.ts'
import { updateOf } from './writes.ts'

export type TrafficRow = { name: string; distribution: Distribution } & Record<
  'cached' | 'uncached' | 'bare',
  Measured
>

/** Requests per item, after which the cache holds the items that are requested often. */
const warmUpRequests = 4
const maxWarmUpSeconds = 60

/** Requests for one of `count` items: only reads (YCSB-C), or 5 % updates (YCSB-B). */
type Traffic = { name: string; count: number; path: (item: number) => string; writeShare: number }

async function trafficOf(shop: Shop): Promise<Traffic[]> {
  const detail = (item: number) => `/v2/products/${shop.ids[item]}`
  const read = (name: string, count: number, path: Traffic['path']) => ({ name, count, path, writeShare: 0 })
  const pages = await readPages(shop, listPath)
  return [
    read('details', shop.ids.length, detail),
    read('lists by status and type', pages, (item) => `${listPath}&page=${1 + item}`),
    read('searches for 3 digits', searchCount, searchPath),
    read('attribute filters', valueCount, valuePath),
    { ...read('details, 5 % updates', shop.ids.length, detail), writeShare: 0.05 },
  ]
}

function requestsOf(shop: Shop, { count, path, writeShare }: Traffic, distribution: Distribution): Mix {
  const next = chooser(distribution, count)
  return { reads: () => path(next()), writes: updateOf(() => shop.ids[next()] as number), writeShare }
}

/** Medians of rounds that each run bare node:http (same body size) and the service with and without its cache. */
export async function measureTraffic(
  folder: string,
  shop: Shop,
  { rounds, seconds }: Effort,
): Promise<TrafficRow[]> {
  const cached = await serveCatalog(folder)
  const uncached = await serveCatalog(folder, [], { CATALOG_CACHE_MEGABYTES: '0' })
  const rows: TrafficRow[] = []
  try {
    for (const traffic of await trafficOf({ ...shop, url: cached.url })) {
      const bare = await serveBare(await readText({ ...shop, url: cached.url }, traffic.path(0)))
      for (const distribution of distributions) {
        const requests = requestsOf(shop, traffic, distribution)
        const run = (url: string) => load(url, shop.token, requests, seconds)
        const taken = { bare: [] as Measured[], cached: [] as Measured[], uncached: [] as Measured[] }
        await warmUp(() => run(cached.url), warmUpRequests * traffic.count, seconds)
        for (const { url } of [uncached, bare]) await warmUp(() => run(url), 0, seconds)
        for (let round = 0; round < rounds; round += 1) {
          taken.bare.push(await run(bare.url))
          taken.cached.push(await run(cached.url))
          taken.uncached.push(await run(uncached.url))
        }
        rows.push({
          name: `${traffic.name} (${traffic.count.toLocaleString('en')})`,
          distribution,
          bare: medianOf(taken.bare),
          cached: medianOf(taken.cached),
          uncached: medianOf(taken.uncached),
        })
      }
      await bare.stop()
    }
  } finally {
    await cached.stop()
    await uncached.stop()
  }
  return rows
}

/** Runs three turns, and more until it has sent the requests or the time is over. */
async function warmUp(run: () => Promise<Measured>, requests: number, seconds: number): Promise<void> {
  let sent = 0
  for (let turn = 0; turn < 3 || (sent < requests && turn * seconds < maxWarmUpSeconds); turn += 1)
    sent += (await run()).perSecond * seconds
}
