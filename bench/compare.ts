import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runBuild } from '../scripts/build/run-build.ts'
import { load, type Measured, type Path, type Write } from './load.ts'
import { type Served, serveProgram } from './servers/served.ts'
import { median } from './servers/temporary-database.ts'
import { below, oneOf } from './works.ts'

/*
 * Runs the same work on this checkout and another one in turns, so that both see the same load of the machine:
 * npx node bench/compare.ts --with ../another-checkout
 */
const { values: options } = parseArgs({
  options: {
    with: { type: 'string' },
    products: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    clients: { type: 'string', default: '32' },
    /** Runs only works whose name contains this. */
    only: { type: 'string', default: '' },
  },
})
if (options.with === undefined) throw new Error('set the folder of another checkout: --with FOLDER')
const count = Number(options.products)

type Side = { served: Served; folder: string; token: string; firstId: number; next: number; edition: number }

function line(number: number, edition = 0): string {
  const attributes = Array.from({ length: 8 }, (_, key) => [
    `a${key}`,
    `v${(number * (key + 1)) % 50} ${edition}`,
  ])
  return JSON.stringify({
    sku: `S-${number}`,
    name: `Product ${number}, edition ${edition}`,
    description: 'A fine thing. '.repeat(10),
    price: (number % 1000) + 0.5 + edition,
    status: number % 2 === 0 ? 'active' : 'pending',
    categories: [{ name: `C${number % 20}` }, { name: `D${number % 7}` }],
    attributes: Object.fromEntries(attributes),
  })
}

async function push(
  { served, token }: Pick<Side, 'served' | 'token'>,
  from: number,
  edition = 0,
): Promise<number> {
  const started = performance.now()
  const body = Array.from({ length: 5_000 }, (_, at) => line(from + at, edition)).join('\n')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const response = await fetch(`${served.url}/v2/products/bulk`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`a push returned ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
  return 5_000 / ((performance.now() - started) / 1000)
}

async function serve(checkout: string): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-compare-'))
  chmodSync(folder, 0o755)
  const program = join(resolve(checkout), 'bin/catalog')
  // A checkout without this script builds when it starts.
  if (existsSync(join(checkout, 'scripts/build/run'))) runBuild(resolve(checkout))
  const served = await serveProgram(program, ['serve', '--port', '0', '--data', folder], join(folder, 'log'))
  const run = (...args: string[]) =>
    JSON.parse(execFileSync(program, [...args, '--data', folder, '--json'], { encoding: 'utf8' }))
  const project = run('project', 'create', '--name', 'Compared', '--plan', 'enterprise')
  run('project', 'set', String(project.id), '--rate-limit', 'none')
  const { token } = run('token', 'create', '--project', String(project.id))
  for (let from = 0; from < count; from += 5_000) await push({ served, token }, from)
  const headers = { authorization: `Bearer ${token}` }
  const page = await fetch(`${served.url}/v2/products?page_size=1`, { headers })
  const { results } = (await page.json()) as { results: { id: number }[] }
  return { served, folder, token, firstId: results[0]?.id ?? 1, next: count, edition: 0 }
}

const change = () => ({ name: `Name ${below(1e9)}`, price: below(100_000) / 100 })
const adjustment = (product: (side: Side) => number) => (side: Side) => ({
  method: 'POST' as const,
  path: () => `/v2/products/${product(side)}/inventory/adjust`,
  body: () => ({ delta: 1 + below(5), reason: 'Delivery' }),
})
const requests: Record<string, (side: Side) => Path | Write> = {
  'detail, random id': (side) => () => `/v2/products/${side.firstId + below(count)}`,
  'status, random page': () => () => `/v2/products?status=active&page=${1 + below(Math.floor(count / 40))}`,
  'status and category, first page': () => () =>
    `/v2/products?status=${oneOf(['active', 'pending'])}&category=${1 + below(27)}`,
  'ordering=-price, random page': () => () => `/v2/products?ordering=-price&page=${1 + below(100)}`,
  'search for 3 random digits': () => () => `/v2/products?search=${100 + below(900)}`,
  create: (side) => ({
    method: 'POST',
    path: () => '/v2/products',
    body: () => {
      side.next += 1
      return JSON.parse(line(side.next))
    },
  }),
  'change of name and price': (side) => ({
    method: 'PATCH',
    path: () => `/v2/products/${side.firstId + below(count)}`,
    body: change,
  }),
  'change of one of five products': ({ firstId }) => ({
    method: 'PATCH',
    path: () => `/v2/products/${firstId + below(5)}`,
    body: change,
  }),
  'change of stock': ({ firstId }) => ({
    method: 'PATCH',
    path: () => `/v2/products/${firstId + below(count)}`,
    body: () => ({ inventory: { quantity: below(1_000) } }),
  }),
  'stock adjustment': adjustment(({ firstId }) => firstId + below(count)),
  'stock adjustment of one of two products': adjustment(({ firstId }) => firstId + below(2)),
}
type Rate = Pick<Measured, 'perSecond'> & Partial<Measured>
const pushes: Record<string, (side: Side) => Promise<number>> = {
  'push of 5,000 new lines': (side) => {
    side.next += 5_000
    return push(side, side.next)
  },
  'push of 5,000 changed lines': (side) => {
    side.edition += 1
    return push(side, 0, side.edition)
  },
  'push of 5,000 unchanged lines': (side) => push(side, 5_000),
}

/** A push has no p99, because it is one request. */
function describeTails(taken: [Rate[], Rate[]]): string {
  const [other, own] = taken.map((rates) => median(rates.flatMap(({ p99 }) => p99 ?? []))) as [number, number]
  if (Number.isNaN(own)) return '– | – | –'
  return `${other.toFixed(1)} | ${own.toFixed(1)} | ${(own / other).toFixed(2)}`
}

const sides = [await serve(options.with), await serve(fileURLToPath(new URL('../', import.meta.url)))]
try {
  const works: Record<string, (side: Side) => Promise<Rate>> = {}
  for (const [name, of] of Object.entries(requests))
    works[name] = (side) =>
      load(side.served.url, side.token, of(side), Number(options.seconds), Number(options.clients))
  for (const [name, work] of Object.entries(pushes))
    works[name] = async (side) => ({ perSecond: await work(side) })
  console.log(
    '| Work | Other, per second | This, per second | This / other | Other p99, ms | This p99, ms | This / other |\n|---|---|---|---|---|---|---|',
  )
  for (const [name, work] of Object.entries(works).filter(([name]) => name.includes(options.only))) {
    const taken: [Rate[], Rate[]] = [[], []]
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) taken[at]?.push(await work(sides[at] as Side))
    const [other, own] = taken.map((rates) => median(rates.map(({ perSecond }) => perSecond))) as [
      number,
      number,
    ]
    const rates = `${Math.round(other)} | ${Math.round(own)} | ${(own / other).toFixed(2)}`
    console.log(`| ${name} | ${rates} | ${describeTails(taken)} |`)
  }
} finally {
  for (const { served, folder } of sides) {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
