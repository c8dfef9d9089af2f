import { parseArgs } from 'node:util'
import type { Database } from '../src/platform/database/database.ts'
import { load, type Path, type Write } from './load.ts'
import type { Effort } from './reads.ts'
import { describeRich, type RichRates, type RichRow } from './report.ts'
import { govern, lines, linesPerPush, product, push, type Side, send } from './rich-shop.ts'
import { addStructure, timeLargest, variantLines } from './rich-structure.ts'
import { serveCatalog } from './served.ts'
import { makeShop } from './shop.ts'
import { median, onThrowAwayDatabase } from './throw-away.ts'
import { below, oneOf } from './works.ts'

const byAttribute = () => `attributes__a1=${encodeURIComponent(`v${below(50)} 0`)}`
const anyOf = (side: Side, ids: number[] | undefined) =>
  ids === undefined ? side.firstId + below(side.products) : oneOf(ids)
const pageOf = (side: Side, share: number) => 1 + below(Math.floor((side.products * share) / 20))

/** A project without structure reads a plain product, or a list without the filter. */
const requests: Record<string, (side: Side) => Path | Write> = {
  'detail, random id': (side) => () => `/v2/products/${anyOf(side, undefined)}`,
  'status, random page': (side) => () => `/v2/products?status=active&page=${pageOf(side, 0.5)}`,
  'expand=detail, random page': (side) => () => `/v2/products?expand=detail&page=${pageOf(side, 1)}`,
  'one attribute, random value': () => () => `/v2/products?${byAttribute()}`,
  'facets of two attributes, one value of another': () => () =>
    `/v2/products/facets?facets=a0,a2&${byAttribute()}`,
  'tree of categories': () => '/v2/categories/tree',
  'detail of a parent with 20 variants, beside a plain detail': (side) => () =>
    `/v2/products/${anyOf(side, side.structure?.parents)}`,
  'detail of a bundle of 5, beside a plain detail': (side) => () =>
    `/v2/products/${anyOf(side, side.structure?.bundles)}`,
  'detail of a variant, resolve=parent, beside a plain detail': (side) => () =>
    `/v2/products/${anyOf(side, side.structure?.variants)}?resolve=parent`,
  'in_stock=true, random page': (side) => () => `/v2/products?in_stock=true&page=${pageOf(side, 0.8)}`,
  'parent of 20 variants, beside the first page': ({ structure }) =>
    structure === undefined ? '/v2/products' : () => `/v2/products?parent=${oneOf(structure.parents)}`,
  create: (side) => ({
    method: 'POST',
    path: () => '/v2/products',
    body: () => {
      side.next += 1
      return product(side.isRich, side.next)
    },
  }),
  'change of name and price': (side) => ({
    method: 'PATCH',
    path: () => `/v2/products/${anyOf(side, undefined)}`,
    body: () => ({ name: `Name ${below(1e9)}`, price: below(100_000) / 100 }),
  }),
}

/** The number of the first of so many new products. */
function numberNew(side: Side): number {
  side.next += linesPerPush
  return side.next - linesPerPush + 1
}
const pushes: Record<string, (side: Side) => Promise<number>> = {
  'push of 5,000 new lines': (side) => push(side, lines(side, numberNew(side))),
  'push of 5,000 changed lines': (side) => {
    side.edition += 1
    return push(side, lines(side, 0, side.edition))
  },
  'push of 5,000 unchanged lines': (side) => push(side, lines(side, linesPerPush)),
  'push of 5,000 new variants, beside new lines': (side) => push(side, variantLines(side, numberNew(side))),
}

async function makeSide(database: Database, url: string, products: number, isRich: boolean): Promise<Side> {
  const { token } = await makeShop(database, 0)
  const target = { url, token }
  if (isRich) await govern(target)
  for (let from = 0; from < products; from += linesPerPush) await push(target, lines({ isRich }, from))
  const { results } = await send(target, 'GET', '/v2/products?page_size=1')
  const side = { ...target, products, isRich, firstId: results[0]?.id ?? 1, next: products, edition: 0 }
  return isRich ? { ...side, structure: await addStructure(target) } : side
}

async function measureRows(sides: [Side, Side], { rounds, seconds }: Effort): Promise<RichRow[]> {
  const works = { ...pushes }
  for (const [name, of] of Object.entries(requests))
    works[name] = async (side) => {
      const { perSecond } = await load(side.url, side.token, of(side), seconds)
      // Lists that nobody waits for any more would slow down the next work; this one is answered after them.
      await send(side, 'GET', '/v2/products?search=nothing')
      return perSecond
    }
  const rows: RichRow[] = []
  for (const [name, work] of Object.entries(works)) {
    const rates: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1)
      for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        rates[at].push(await work(sides[at]))
    rows.push({ name, plain: median(rates[0]), rich: median(rates[1]) })
  }
  return rows
}

/**
 * What a project pays that uses a deep tree, several values, definitions, rules of its own, media and structure, beside one that
 * uses none of it, in turns on one service.
 */
export async function measureRich(products: number, effort: Effort): Promise<RichRates> {
  let rates: RichRates | undefined
  await onThrowAwayDatabase(async (database, _connection, folder) => {
    const { url, stop } = await serveCatalog(folder)
    try {
      const plain = await makeSide(database, url, products, false)
      const rich = await makeSide(database, url, products, true)
      const largest = await timeLargest(rich)
      const rows = await measureRows([plain, rich], effort)
      const home = (await send(rich, 'GET', '/v2/categories?parent__isnull=true')).results[0]?.id
      const under = await load(url, rich.token, `/v2/products?category__under=${home}`, effort.seconds)
      rates = { rows, under, largest }
    } finally {
      await stop()
    }
  })
  return rates as RichRates
}

/** By itself:  npx node bench/rich.ts --products 20000 */
if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      products: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1' },
    },
  })
  const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
  console.log(describeRich(await measureRich(Number(values.products), effort)))
}
