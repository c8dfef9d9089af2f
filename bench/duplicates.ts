import { parseArgs } from 'node:util'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import { sql } from '../src/platform/database/sql.ts'
import { fillProject } from './fill.ts'
import { serveCatalog } from './served.ts'
import { median, onTemporaryDatabase } from './temporary-database.ts'

/*
 * Measures GET /products/duplicates, per reason and for all reasons, in a project whose products have names of five words and a
 * number, and a GTIN each:
 *   npx node bench/duplicates.ts --products 20000
 */

const { values: options } = parseArgs({ options: { products: { type: 'string', default: '1000000' } } })
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

await onTemporaryDatabase(async (database, _connection, folder) => {
  const { id: project } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
  await changeProject(database, actor, project, { rateLimit: 'none' })
  const { token } = await issueToken(database, actor, project, {})
  await fillProject(database, project, Number(options.products), false, content)
  const service = await serveCatalog(folder, [], { CATALOG_CACHE_MEGABYTES: '0' })
  try {
    console.log('| Reason | Groups | Complete | Median | Slowest |\n| --- | --- | --- | --- | --- |')
    for (const reason of ['same_gtin', 'same_name', 'close_name', 'all']) {
      const query = reason === 'all' ? '' : `?reason=${reason}`
      const times: number[] = []
      let found = ''
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now()
        const response = await fetch(`${service.url}/v2/products/duplicates${query}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const { count, complete } = (await response.json()) as { count: number; complete: boolean }
        times.push(performance.now() - began)
        found = `${count} | ${complete}`
      }
      const shown = [median(times), Math.max(...times)].map((time) => `${Math.round(time)} ms`)
      console.log(`| ${reason} | ${found} | ${shown.join(' | ')} |`)
    }
  } finally {
    await service.stop()
  }
})
