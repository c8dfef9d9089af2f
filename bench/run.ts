import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureBulk } from './bulk.ts'
import { drawPageTimes } from './chart.ts'
import { measureCosts } from './costs.ts'
import { type PageTime, pageTimes } from './growth.ts'
import { load } from './load.ts'
import { type Effort, measureWorks } from './reads.ts'
import {
  describeBulk,
  describeCosts,
  describeGrowth,
  describeReads,
  describeSearch,
  describeWrites,
  number,
} from './report.ts'
import { serveCatalog } from './served.ts'
import { discoverShop, makeShop } from './shop.ts'
import { measureStart } from './start.ts'
import { onThrowAwayDatabase } from './throw-away.ts'
import { searchTimes, walkAlong } from './walk.ts'
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
const results = fileURLToPath(new URL('RESULTS.md', import.meta.url))
const chart = fileURLToPath(new URL('../docs/images/page-times.svg', import.meta.url))
const sections: string[] = []

function tell(title: string, text: string): void {
  sections.push(`## ${title}\n\n${text}`)
  console.log(`\n${sections.at(-1)}`)
}

async function measureOther(url: string, token: string): Promise<void> {
  const shop = await discoverShop(url, token)
  tell(`Reads of ${url}`, describeReads(await measureWorks(shop, undefined, effort)))
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
    const measure = async ([size, { token }]: [number, { token: string }]) =>
      pageTimes(await discoverShop(service.url, token), size, connection)
    const sizes = [...made]
    // Once for nothing: the engine compiles what it runs often.
    await measure(sizes[0] as (typeof sizes)[0])
    const times: PageTime[] = []
    for (const size of sizes) times.push(...(await measure(size)))
    tell('Time of a read, by size of the catalog (one client)', describeGrowth(times))
    if (!options.lean) writeFileSync(chart, drawPageTimes(times))

    const shop = await discoverShop(service.url, made.get(products)?.token ?? '')
    tell(
      `Reads, ${number(products)} products, 32 connections`,
      // Plain SQL would take minutes for each page of a very large catalog.
      describeReads(await measureWorks(shop, options.lean ? undefined : connection, effort)),
    )
    if (options.lean) return void (await service.stop())
    tell(
      'Processor time of a request, 32 connections',
      describeCosts(await measureCosts(database, service, shop, effort)),
    )
    tell('Filters that are not counted by', describeSearch(await searchTimes(shop)))
    const walk = await walkAlong(shop)
    tell(
      'A walk along the next links, 500 products a page',
      `${number(walk.pages)} pages; ${walk.beginning.toFixed(1)} ms a page in the first tenth, ${walk.end.toFixed(1)} ms in the last: ratio ${(walk.end / walk.beginning).toFixed(2)}`,
    )
    const writing = await discoverShop(service.url, (await makeShop(database, 1_000)).token)
    const writes = await measureWrites(database, connection, writing, effort)
    tell('Single writes, 32 clients in one project, a second', describeWrites(writes))

    const path = () => `/v2/products/${shop.ids[Math.floor(Math.random() * shop.ids.length)]}`
    const one = await load(service.url, shop.token, path, effort.seconds)
    await service.stop()
    const pair = await serveCatalog(folder, ['--workers', '2'])
    const two = await load(pair.url, shop.token, path, effort.seconds)
    await pair.stop()
    tell(
      'Two workers, W1',
      `${number(two.perSecond)} a second against ${number(one.perSecond)} with one: ratio ${(two.perSecond / one.perSecond).toFixed(2)}. The load and the database share the same ${cpus().length} cores.`,
    )
    tell(
      'Start and memory',
      `Second start to the first answer ${first.seconds.toFixed(1)} s; ${first.megabytes.toFixed(0)} MB when idle.`,
    )
  })
}

const { BASE_URL, TOKEN } = process.env
if (BASE_URL !== undefined) await measureOther(BASE_URL, TOKEN ?? '')
else {
  await measureOurs()
  if (options.lean) process.exit()
  tell('Bulk push of 10,000 lines, 8 attributes and 2 categories each', describeBulk(await measureBulk()))
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.versions.node}, embedded PostgreSQL`
  const command = `npm run bench -- --products ${products} --sizes ${options.sizes} --rounds ${effort.rounds} --seconds ${effort.seconds}`
  writeFileSync(
    results,
    `# Results\n\nWritten by \`${command}\` on ${machine}. Medians of rounds that take turns; compare the ratios, not the numbers.\n\n${sections.join('\n\n')}\n`,
  )
}
