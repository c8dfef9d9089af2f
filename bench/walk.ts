import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'

const part = 0.1

/** Milliseconds a page at the beginning and at the end of a walk through `next` links, 500 products a page. */
export async function walkAlong(shop: Shop): Promise<{ pages: number; beginning: number; end: number }> {
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

export type SearchTime = { path: string; matches: number; milliseconds: number }

const turns = 50

/** Filters that are not counted by, asked for by one client. */
export async function searchTimes(shop: Shop): Promise<SearchTime[]> {
  const found: SearchTime[] = []
  for (const query of [
    'search=abc',
    'search=sku-1234',
    'attributes__attribute8=value%2077',
    'price__lte=20',
  ]) {
    const path = `/v2/products?${query}`
    const times: number[] = []
    let matches = 0
    for (let turn = 0; turn < turns; turn += 1) {
      const started = performance.now()
      matches = JSON.parse(await readText(shop, path)).count
      times.push(performance.now() - started)
    }
    found.push({ path, matches, milliseconds: median(times) })
  }
  return found
}
