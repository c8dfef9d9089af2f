import { summarize } from './load.ts'
import { median } from './servers/temporary-database.ts'
import { readText, type Shop } from './shop.ts'
import { below } from './works.ts'

const part = 0.1

/** Milliseconds per page at the start and end of a walk through `next` links, with 500 products per page. */
export async function walkPages(shop: Shop): Promise<{ pages: number; beginning: number; end: number }> {
  const times: number[] = []
  for (let path: string | null = '/v2/products?page_size=500'; path !== null; ) {
    const started = performance.now()
    const { next } = JSON.parse(await readText(shop, path)) as { next: string | null }
    times.push(performance.now() - started)
    path = next === null ? null : next.slice(next.indexOf('/v2/'))
  }
  const some = Math.max(1, Math.floor(times.length * part))
  return {
    pages: times.length,
    beginning: median(times.slice(0, some)),
    end: median(times.slice(-some - 1, -1)),
  }
}

export type SearchTime = { work: string; matches: number; p50: number; p99: number }

const turns = 50

/** Filters without stored counts, each time with another value, by one client. */
const searches: Record<string, () => string> = {
  'search for 3 random digits': () => `search=${String(below(1_000)).padStart(3, '0')}`,
  'search for a random SKU': () => `search=sku-${1_000 + below(9_000)}`,
  'one attribute, random value, 0.5 %': () => `attributes__attribute2=value%20${below(200)}`,
  'one attribute, random value, 0.125 %': () => `attributes__attribute8=value%20${below(800)}`,
  'price__lte of 1 to 40': () => `price__lte=${1 + below(40)}`,
}

export async function searchTimes(shop: Shop): Promise<SearchTime[]> {
  const found: SearchTime[] = []
  for (const [work, choose] of Object.entries(searches)) {
    const times: number[] = []
    const matches: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      const started = performance.now()
      matches.push(JSON.parse(await readText(shop, `/v2/products?${choose()}`)).count)
      times.push(performance.now() - started)
    }
    const { p50, p99 } = summarize(times, 1)
    found.push({ work, matches: median(matches), p50, p99 })
  }
  return found
}
