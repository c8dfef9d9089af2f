import { parseArgs } from 'node:util'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { Database } from '../src/platform/database/database.ts'
import { drawnPng } from '../test/media/drawn-png.ts'
import { load, type Measured } from './load.ts'
import { medianOf } from './reads.ts'
import { serveCatalog } from './servers/served.ts'
import { onTemporaryDatabase } from './servers/temporary-database.ts'
import { below } from './works.ts'

/*
 * Compares lists of 50 products with an uploaded image each with lists of products without media:
 *   npx node bench/media.ts
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    /** With one client, the result is the time of a request; with many, it is the throughput. */
    clients: { type: 'string', default: '8' },
  },
})
const products = 2_000
const images = 100
const actor = { name: 'bench' }

type Side = { url: string; token: string }

async function openShop(database: Database, url: string): Promise<Side> {
  const { id } = await createProject(database, actor, { name: 'Compared', plan: 'enterprise' })
  await changeProject(database, actor, id, { rateLimit: 'none' })
  return { url, token: (await issueToken(database, actor, id, {})).token }
}

async function post(
  { url, token }: Side,
  path: string,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return response.json() as Promise<{ id: string }>
}

function line(number: number, assets: readonly string[]): string {
  const attributes = Array.from({ length: 8 }, (_, key) => [`a${key}`, `v${(number * (key + 1)) % 50}`])
  const asset = assets[number % assets.length]
  return JSON.stringify({
    sku: `S-${number}`,
    name: `Product ${number}`,
    description: 'A fine thing. '.repeat(10),
    price: (number % 1000) + 0.5,
    categories: [{ name: `C${number % 20}` }, { name: `D${number % 7}` }],
    attributes: Object.fromEntries(attributes),
    ...(asset !== undefined && { media: [{ asset, alt: `Product ${number}` }] }),
  })
}

async function fill(side: Side, assets: readonly string[]): Promise<void> {
  const lines = Array.from({ length: products }, (_, number) => line(number, assets))
  await post(side, '/v2/products/bulk', 'application/x-ndjson', lines.join('\n'))
}

await onTemporaryDatabase(async (database, _connection, folder) => {
  // Responses from memory cost the same with and without images.
  const service = await serveCatalog(folder, [], { CATALOG_CACHE_MEGABYTES: '0' })
  try {
    const [without, withImages] = [
      await openShop(database, service.url),
      await openShop(database, service.url),
    ]
    const assets: string[] = []
    for (let image = 0; image < images; image += 1)
      assets.push((await post(withImages, '/v2/assets', 'image/png', new Uint8Array(drawnPng()))).id)
    await fill(without, [])
    await fill(withImages, assets)
    const path = () => `/v2/products?page_size=50&expand=detail&page=${1 + below(products / 50)}`
    const taken: [Measured[], Measured[]] = [[], []]
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const [at, { url, token }] of [without, withImages].entries())
        taken[at]?.push(await load(url, token, path, Number(options.seconds), Number(options.clients)))
    const [plain, illustrated] = taken.map(medianOf) as [Measured, Measured]
    console.log(
      '| List of 50 products | Per second | p50 ms | p99 ms | × time without media |\n|---|---|---|---|---|',
    )
    for (const [name, { perSecond, p50, p99 }] of [
      ['without media', plain],
      ['with an image each', illustrated],
    ] as const)
      console.log(
        `| ${name} | ${Math.round(perSecond)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${(plain.perSecond / perSecond).toFixed(2)} |`,
      )
  } finally {
    await service.stop()
  }
})
