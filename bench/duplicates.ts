import { parseArgs } from 'node:util'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import { sql } from '../src/platform/database/sql.ts'
import { fillProject } from './fill.ts'
import { load, type Measured } from './load.ts'
import { type Served, serveCatalog } from './servers/served.ts'
import { median, onTemporaryDatabase } from './servers/temporary-database.ts'

/*
 * Measures GET /products/duplicates, per reason and for all reasons, in a project whose products have names of five words and a
 * number, and a GTIN each:
 *   npx node bench/duplicates.ts --products 20000
 * With --other, measures the requests of another project, alone and while this project asks for duplicates all the time. The names
 * are then as expensive to compare as possible: many words that differ in one letter.
 *   npx node bench/duplicates.ts --products 50000 --other
 */

const { values: options } = parseArgs({
  options: { products: { type: 'string', default: '1000000' }, other: { type: 'boolean', default: false } },
})
const rounds = 5
const actor = { name: 'bench' }

const kinds = [
  'Woven',
  'Linen',
  'Ceramic',
  'Oak',
  'Brushed',
  'Folding',
  'Compact',
  'Classic',
  'Nordic',
  'Wool',
]
const things = [
  'table lamp',
  'floor lamp',
  'cushion cover',
  'serving bowl',
  'coffee mug',
  'wall shelf',
  'side table',
]
const series = [
  'Alva',
  'Berit',
  'Cosmo',
  'Dalia',
  'Ebba',
  'Finn',
  'Gustav',
  'Hedda',
  'Ingrid',
  'Jonas',
  'Karin',
]
const oneOf = (words: string[], factor: number) =>
  sql`(${words}::text[])[1 + abs(hashint4(n * ${factor}::int)) % ${words.length}::int]`
const content = {
  name: sql`concat_ws(' ', ${oneOf(kinds, 7)}, ${oneOf(things, 11)}, ${oneOf(series, 13)}, 10 + abs(hashint4(n * 17)) % 2000, 'mm')`,
  // One product in a hundred has the GTIN of the product before it.
  attributes: sql`jsonb_build_object('ean', (4000000000000 + n - (n % 100 = 0)::int)::text)`,
}

const hostileName = sql`(
  select string_agg('aaaa' || chr(97 + abs(hashint4(n * 31 + word)) % 26) || chr(97 + abs(hashint4(n * 37 + word)) % 26), ' ')
  from generate_series(1, 36) as word)`
const hostile = { name: hostileName, attributes: sql`jsonb_build_object('ean', '4000000000017')` }

await onTemporaryDatabase(async (database, _connection, folder) => {
  const addProject = async (products: number, given: typeof content) => {
    const { id } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
    await changeProject(database, actor, id, { rateLimit: 'none' })
    const { token } = await issueToken(database, actor, id, {})
    await fillProject(database, id, products, false, given)
    return token
  }
  const token = await addProject(Number(options.products), options.other ? hostile : content)
  const other = options.other ? await addProject(20_000, content) : undefined
  const service = await serveCatalog(folder, [], { CATALOG_CACHE_MEGABYTES: '0' })
  try {
    if (other === undefined) await measureReasons(service, token)
    else await measureOther(service, token, other)
  } finally {
    await service.stop()
  }
})

async function measureReasons({ url }: Served, token: string): Promise<void> {
  console.log('| Reason | Groups | Complete | Median | Slowest |\n| --- | --- | --- | --- | --- |')
  for (const reason of ['same_gtin', 'same_name', 'close_name', 'all']) {
    const query = reason === 'all' ? '' : `?reason=${reason}`
    const times: number[] = []
    let found = ''
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now()
      const response = await askDuplicates(url, token, query)
      const { count, complete } = (await response.json()) as { count: number; complete: boolean }
      times.push(performance.now() - began)
      found = `${count} | ${complete}`
    }
    const shown = [median(times), Math.max(...times)].map((time) => `${Math.round(time)} ms`)
    console.log(`| ${reason} | ${found} | ${shown.join(' | ')} |`)
  }
}

function askDuplicates(url: string, token: string, query = ''): Promise<Response> {
  return fetch(`${url}/v2/products/duplicates${query}`, { headers: { authorization: `Bearer ${token}` } })
}

/** Both loads take turns, so that other work on the machine affects both. */
async function measureOther({ url }: Served, token: string, other: string): Promise<void> {
  const paths = {
    'A page of 20 products': '/v2/products?page_size=20',
    'A search': '/v2/products?search=lamp',
  }
  console.log('| Request of the other project | | p50 | p99 |\n| --- | --- | --- | --- |')
  for (const [name, path] of Object.entries(paths)) {
    const measured: Record<'alone' | 'together', Measured[]> = { alone: [], together: [] }
    await load(url, other, path, 2, 2)
    for (let round = 0; round < rounds; round += 1) {
      measured.alone.push(await load(url, other, path, 5, 2))
      const asking = keepAsking(url, token)
      measured.together.push(await load(url, other, path, 5, 2))
      await asking.stop()
    }
    const of = (kind: keyof typeof measured, key: 'p50' | 'p99') =>
      median(measured[kind].map((one) => one[key]))
    for (const kind of ['alone', 'together'] as const)
      console.log(
        `| ${name} | ${kind} | ${of(kind, 'p50').toFixed(1)} ms | ${of(kind, 'p99').toFixed(1)} ms |`,
      )
    const ratio = (key: 'p50' | 'p99') => (of('together', key) / of('alone', key)).toFixed(2)
    console.log(`| ${name} | ratio | ${ratio('p50')} | ${ratio('p99')} |`)
  }
}

/** More requests at the same time than the service compares or lets wait. */
function keepAsking(url: string, token: string) {
  let isOver = false
  const ask = async () => {
    while (!isOver) {
      const response = await askDuplicates(url, token)
      await response.arrayBuffer()
      if (response.status === 503) await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const asking = Array.from({ length: 8 }, ask)
  return {
    stop: async () => {
      isOver = true
      await Promise.all(asking)
    },
  }
}
