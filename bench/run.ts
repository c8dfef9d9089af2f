import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { measureBulk } from './bulk.ts'
import { drawPageTimes, drawTraffic } from './chart.ts'
import { describeEvents, measureEvents } from './events.ts'
import { type PageTime, pageTimes } from './growth.ts'
import { load } from './load.ts'
import { type Effort, measureWorks } from './reads.ts'
import {
  describeBulk,
  describeGrowth,
  describeReads,
  describeSearch,
  describeTraffic,
  describeWrites,
  number,
} from './report.ts'
import { type Served, serveCatalog } from './servers/served.ts'
import { measureStart } from './servers/start.ts'
import { onTemporaryDatabase } from './servers/temporary-database.ts'
import { createShop, discoverShop, type Shop } from './shop.ts'
import { measureTraffic } from './traffic.ts'
import { searchTimes, walkPages } from './walk.ts'
import { oneOf, randomWorks, sharedWorks, type Work } from './works.ts'
import { measureWrites } from './writes.ts'

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    sizes: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    // Measures only pages and reads, with the indexes they need, for catalogs that take hours to index.
    lean: { type: 'boolean', default: false },
    // Measures only traffic with and without the cache.
    traffic: { type: 'boolean', default: false },
  },
})
const effort: Effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) }
const products = Number(options.products)
/** A small run tests the benchmark itself and does not replace the results. */
const isKept = products >= 100_000 && !options.lean
const results = fileURLToPath(new URL('RESULTS.md', import.meta.url))
const imagePath = (name: string) => fileURLToPath(new URL(`../docs/images/${name}.svg`, import.meta.url))
/** Real traffic first, then details. */
const headline: string[] = []
const details: string[] = []

function addSection(title: string, text: string, place = details): void {
  place.push(`## ${title}\n\n${text}`)
  console.log(`\n${place.at(-1)}`)
}

async function reportReads(shop: Shop, connection?: pg.ClientConfig): Promise<void> {
  const isMeasured = ({ counted }: Work) => counted || !options.lean
  const random = (await randomWorks(shop)).filter(isMeasured)
  const size = `${number(shop.products)} products, 32 connections`
  addSection(
    `Random reads, ${size}`,
    describeReads(await measureWorks(shop, random, connection, effort)),
    headline,
  )
  addSection(
    `Concurrent reads of one page, ${size}`,
    `The service reads a page once for all concurrent requests, so random pages are slower.\n\n${describeReads(
      await measureWorks(shop, await sharedWorks(shop), connection, effort),
    )}`,
  )
}

async function reportTraffic(folder: string, token: string): Promise<void> {
  const service = await serveCatalog(folder)
  const shop = await discoverShop(service.url, token)
  await service.stop()
  const rows = await measureTraffic(folder, shop, effort)
  addSection(
    `Traffic with the cache on and off, ${number(shop.products)} products, 32 connections`,
    `Requests choose among the number of items in parentheses: each equally often (uniform), or some
more often than others (zipfian, as in YCSB with θ = 0.99, scrambled). The cache is on by default.\n\n${describeTraffic(rows)}`,
    headline,
  )
  if (isKept) writeFileSync(imagePath('traffic'), drawTraffic(rows, number(shop.products)))
}

async function reportGrowth(
  shops: Map<number, { token: string }>,
  url: string,
  connection: pg.ClientConfig,
): Promise<void> {
  const measure = async ([size, { token }]: [number, { token: string }]) =>
    pageTimes(await discoverShop(url, token), size, connection)
  const sizes = [...shops]
  // A warm-up, so that the engine compiles hot code.
  await measure(sizes[0] as (typeof sizes)[0])
  const times: PageTime[] = []
  for (const size of sizes) times.push(...(await measure(size)))
  addSection('Read time by catalog size (one client)', describeGrowth(times))
  if (isKept) writeFileSync(imagePath('page-times'), drawPageTimes(times))
}

async function reportWorkers(folder: string, service: Served, shop: Shop): Promise<void> {
  const path = () => `/v2/products/${oneOf(shop.ids)}`
  const one = await load(service.url, shop.token, path, effort.seconds)
  await service.stop()
  const pair = await serveCatalog(folder, ['--workers', '2'])
  const two = await load(pair.url, shop.token, path, effort.seconds)
  await pair.stop()
  addSection(
    'Two workers, product by random ID',
    `${number(two.perSecond)} per second, ${number(one.perSecond)} with one worker (ratio ${(two.perSecond / one.perSecond).toFixed(2)}). The load\ngenerator and the database share the ${cpus().length} cores.`,
  )
}

async function measureService(): Promise<void> {
  await onTemporaryDatabase(async (database, connection, folder) => {
    const smaller = options.traffic ? [] : options.sizes.split(',').filter(Boolean).map(Number)
    const shops = new Map<number, { project: number; token: string }>()
    for (const size of [...new Set([...smaller, products])].sort((a, b) => a - b)) {
      console.error(`filling a project with ${number(size)} products`)
      shops.set(size, await createShop(database, size, options.lean))
    }
    const { token = '' } = shops.get(products) ?? {}
    if (!options.lean) await reportTraffic(folder, token)
    if (options.traffic) return
    const first = await measureStart(folder)
    const service = await serveCatalog(folder)
    const shop = await discoverShop(service.url, token)
    await reportGrowth(shops, service.url, connection)
    // Plain SQL would take minutes per page of a very large catalog.
    await reportReads(shop, options.lean ? undefined : connection)
    if (options.lean) return void (await service.stop())
    addSection('Filters without stored counts (one client)', describeSearch(await searchTimes(shop)))
    const walk = await walkPages(shop)
    addSection(
      'Following next links, 500 products per page',
      `${number(walk.pages)} pages: ${walk.beginning.toFixed(1)} ms per page in the first tenth, ${walk.end.toFixed(1)} ms in the last (ratio ${(walk.end / walk.beginning).toFixed(2)}).`,
    )
    const writes = await measureWrites(database, connection, shop, effort)
    addSection(
      `Single writes, ${number(products)} products, 32 clients in one project`,
      describeWrites(writes),
      headline,
    )
    await reportWorkers(folder, service, shop)
    addSection(
      'Start and memory',
      `The second start takes ${first.seconds.toFixed(1)} s until the first response. Idle memory: ${first.megabytes.toFixed(0)} MB.`,
    )
  })
}

const { BASE_URL, TOKEN } = process.env
if (BASE_URL !== undefined) await reportReads(await discoverShop(BASE_URL, TOKEN ?? ''))
else {
  await measureService()
  if (options.lean || options.traffic) process.exit()
  addSection(
    'Push of 10,000 lines with 8 attributes and 2 categories each',
    describeBulk(await measureBulk()),
    headline,
  )
  addSection('Event feed', describeEvents(await measureEvents()), headline)
  const command = `npm run bench -- --products ${products} --sizes ${options.sizes} --rounds ${effort.rounds} --seconds ${effort.seconds}`
  const text = `# Benchmark results

Generated by \`${command}\`
on ${cpus().length} cores (${cpus()[0]?.model}),
Node ${process.versions.node}, embedded PostgreSQL. Numbers are medians of alternating rounds.
Compare the ratios, not the absolute numbers. The service logs requests, as in production.

![Read time of one page by catalog size, compared with count and offset](../docs/images/page-times.svg)

${[...headline, ...details].join('\n\n')}\n`
  if (isKept) writeFileSync(results, text)
}
