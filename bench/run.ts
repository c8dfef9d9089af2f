import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { measureBulk } from './bulk.ts'
import { drawPageTimes } from './chart.ts'
import { describeEvents, measureEvents } from './events.ts'
import { type PageTime, pageTimes } from './growth.ts'
import { load } from './load.ts'
import { type Effort, measureWorks } from './reads.ts'
import {
  describeBulk,
  describeGrowth,
  describeReads,
  describeSearch,
  describeWrites,
  number,
} from './report.ts'
import { type Served, serveCatalog } from './served.ts'
import { discoverShop, makeShop, type Shop } from './shop.ts'
import { measureStart } from './start.ts'
import { onThrowAwayDatabase } from './throw-away.ts'
import { searchTimes, walkAlong } from './walk.ts'
import { oneOf, randomWorks, sharedWorks, type Work } from './works.ts'
import { measureWrites } from './writes.ts'

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    sizes: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    // Pages and reads alone, with the indexes they need: for catalogs that would take hours to index.
    lean: { type: 'boolean', default: false },
  },
})
const effort: Effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) }
const products = Number(options.products)
/** A small run is for trying the benchmark itself; it leaves the results of the last full one as they are. */
const isKept = products >= 100_000 && !options.lean
const results = fileURLToPath(new URL('RESULTS.md', import.meta.url))
const chart = fileURLToPath(new URL('../docs/images/page-times.svg', import.meta.url))
/** First what real traffic does, then what explains it. */
const headline: string[] = []
const details: string[] = []

function tell(title: string, text: string, place = details): void {
  place.push(`## ${title}\n\n${text}`)
  console.log(`\n${place.at(-1)}`)
}

async function tellReads(shop: Shop, connection?: pg.ClientConfig): Promise<void> {
  const isMeasured = ({ counted }: Work) => counted || !options.lean
  const random = (await randomWorks(shop)).filter(isMeasured)
  const size = `${number(shop.products)} products, 32 connections`
  tell(
    `Reads, everybody asks for something else, ${size}`,
    describeReads(await measureWorks(shop, random, connection, effort)),
    headline,
  )
  tell(
    `One page asked by all, ${size}`,
    `The service reads a page once for all who ask for it at the same moment, so these are not what random pages get.\n\n${describeReads(
      await measureWorks(shop, await sharedWorks(shop), connection, effort),
    )}`,
  )
}

async function tellGrowth(
  made: Map<number, { token: string }>,
  url: string,
  connection: pg.ClientConfig,
): Promise<void> {
  const measure = async ([size, { token }]: [number, { token: string }]) =>
    pageTimes(await discoverShop(url, token), size, connection)
  const sizes = [...made]
  // Once for nothing: the engine compiles what it runs often.
  await measure(sizes[0] as (typeof sizes)[0])
  const times: PageTime[] = []
  for (const size of sizes) times.push(...(await measure(size)))
  tell('Time of a read, by size of the catalog (one client)', describeGrowth(times))
  if (isKept) writeFileSync(chart, drawPageTimes(times))
}

async function tellWorkers(folder: string, service: Served, shop: Shop): Promise<void> {
  const path = () => `/v2/products/${oneOf(shop.ids)}`
  const one = await load(service.url, shop.token, path, effort.seconds)
  await service.stop()
  const pair = await serveCatalog(folder, ['--workers', '2'])
  const two = await load(pair.url, shop.token, path, effort.seconds)
  await pair.stop()
  tell(
    'Two workers, W1',
    `${number(two.perSecond)} a second against ${number(one.perSecond)} with one: ratio ${(two.perSecond / one.perSecond).toFixed(2)}. The load and the database share the same ${cpus().length} cores.`,
  )
}

async function measureOurs(): Promise<void> {
  await onThrowAwayDatabase(async (database, connection, folder) => {
    const smaller = options.sizes.split(',').filter(Boolean).map(Number)
    const made = new Map<number, { project: number; token: string }>()
    for (const size of [...new Set([...smaller, products])].sort((a, b) => a - b)) {
      console.error(`filling a project with ${number(size)} products`)
      made.set(size, await makeShop(database, size, options.lean))
    }
    const first = await measureStart(folder)
    const service = await serveCatalog(folder)
    const shop = await discoverShop(service.url, made.get(products)?.token ?? '')
    await tellGrowth(made, service.url, connection)
    // Plain SQL would take minutes for each page of a very large catalog.
    await tellReads(shop, options.lean ? undefined : connection)
    if (options.lean) return void (await service.stop())
    tell('Filters that are not counted by (one client)', describeSearch(await searchTimes(shop)))
    const walk = await walkAlong(shop)
    tell(
      'A walk along the next links, 500 products a page',
      `${number(walk.pages)} pages; ${walk.beginning.toFixed(1)} ms a page in the first tenth, ${walk.end.toFixed(1)} ms in the last: ratio ${(walk.end / walk.beginning).toFixed(2)}`,
    )
    const writes = await measureWrites(database, connection, shop, effort)
    tell(
      `Single writes, ${number(products)} products, 32 clients in one project`,
      describeWrites(writes),
      headline,
    )
    await tellWorkers(folder, service, shop)
    tell(
      'Start and memory',
      `Second start to the first answer ${first.seconds.toFixed(1)} s; ${first.megabytes.toFixed(0)} MB when idle.`,
    )
  })
}

const { BASE_URL, TOKEN } = process.env
if (BASE_URL !== undefined) await tellReads(await discoverShop(BASE_URL, TOKEN ?? ''))
else {
  await measureOurs()
  if (options.lean) process.exit()
  tell(
    'Bulk push of 10,000 lines, 8 attributes and 2 categories each',
    describeBulk(await measureBulk()),
    headline,
  )
  tell('Feed of events', describeEvents(await measureEvents()), headline)
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.versions.node}, embedded PostgreSQL`
  const command = `npm run bench -- --products ${products} --sizes ${options.sizes} --rounds ${effort.rounds} --seconds ${effort.seconds}`
  const text = `# Results\n\nWritten by \`${command}\` on ${machine}. Medians of rounds that take turns; compare the ratios, not the numbers. The service writes its log, as it does for users.\n\n${[...headline, ...details].join('\n\n')}\n`
  if (isKept) writeFileSync(results, text)
}
