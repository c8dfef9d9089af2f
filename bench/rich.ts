import { parseArgs } from 'node:util'
import { load, type Path, type Write } from './load.ts'
import { serveCatalog } from './served.ts'
import { makeShop } from './shop.ts'
import { median, onThrowAwayDatabase } from './throw-away.ts'
import { below } from './works.ts'

/*
 * What a project pays that uses a deep tree, several values, definitions, rules of its own and media, beside one that uses none of it,
 * in turns on one service:  npx node bench/rich.ts --products 20000
 */
const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
})
const count = Number(options.products)
const linesPerPush = 5_000

/** What is read of answers. */
type Answer = {
  summary: { rejected: number }
  rules: object[]
  results: { id: number }[]
}

type Side = { url: string; token: string; isRich: boolean; firstId: number; next: number; edition: number }

function product(isRich: boolean, number: number, edition = 0) {
  const value = (key: number) => `v${(number * (key + 1)) % 50} ${edition}`
  const attributes = Object.fromEntries(
    Array.from({ length: 8 }, (_, key) => [
      `a${key}`,
      isRich && key < 2 ? [value(key), `${value(key)} too`] : value(key),
    ]),
  )
  const picture = { url: `https://images.example/${number}.jpg`, alt: `Product ${number}` }
  return {
    sku: `S-${number}`,
    name: `Product ${number}, edition ${edition}`,
    description: 'A fine thing. '.repeat(10),
    price: (number % 1000) + 0.5 + edition,
    status: number % 2 === 0 ? 'active' : 'pending',
    categories: isRich
      ? [{ path: ['Shop', `B${number % 5}`, `C${number % 20}`] }, { path: ['Sale', `D${number % 7}`] }]
      : [{ name: `C${number % 20}` }, { name: `D${number % 7}` }],
    attributes,
    ...(isRich && { media: [picture, { ...picture, kind: 'video' }] }),
  }
}

async function send(
  { url, token }: Pick<Side, 'url' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

async function push(side: Side, from: number, edition = 0): Promise<number> {
  const lines = Array.from({ length: linesPerPush }, (_, at) => product(side.isRich, from + at, edition))
  const began = performance.now()
  const { summary } = await send(side, 'POST', '/v2/products/bulk', lines)
  if (summary.rejected > 0) throw new Error(`a push had ${summary.rejected} rejected lines`)
  return linesPerPush / ((performance.now() - began) / 1000)
}

/** Twenty definitions, half of them enforced, and today's rules with two for media and one for an attribute. */
async function govern(side: Side): Promise<void> {
  const definitions = Array.from({ length: 20 }, (_, key) => ({
    name: `a${key}`,
    type: 'text',
    multiple: key < 2,
    max_length: 100,
    pattern: 'v\\d+ \\d+( too)?',
    mode: key % 2 === 0 ? 'enforce' : 'warn',
  }))
  await send(side, 'PUT', '/v2/attributes', { attributes: definitions })
  const { rules } = await send(side, 'GET', '/v2/quality-rules')
  const own = [
    { code: 'image_present', kind: 'image_present', points: 10 },
    { code: 'image_alt', kind: 'image_alt', points: 5 },
    { code: 'a0_present', kind: 'attribute_present', attribute: 'a0', points: 5 },
  ]
  await send(side, 'PUT', '/v2/quality-rules', { rules: [...rules, ...own] })
}

const reads: Record<string, (side: Side) => Path | Write> = {
  'detail, random id': (side) => () => `/v2/products/${side.firstId + below(count)}`,
  'status, random page': () => () => `/v2/products?status=active&page=${1 + below(Math.floor(count / 40))}`,
  'expand=detail, random page': () => () =>
    `/v2/products?expand=detail&page=${1 + below(Math.floor(count / 20))}`,
  'one attribute, random value': () => () =>
    `/v2/products?attributes__a1=${encodeURIComponent(`v${below(50)} 0`)}`,
  'facets of two attributes, one value of another': () => () =>
    `/v2/products/facets?facets=a0,a2&attributes__a1=${encodeURIComponent(`v${below(50)} 0`)}`,
  'tree of categories': () => '/v2/categories/tree',
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
    path: () => `/v2/products/${side.firstId + below(count)}`,
    body: () => ({ name: `Name ${below(1e9)}`, price: below(100_000) / 100 }),
  }),
}
const pushes: Record<string, (side: Side) => Promise<number>> = {
  'push of 5,000 new lines': (side) => {
    const from = side.next + 1
    side.next += linesPerPush
    return push(side, from)
  },
  'push of 5,000 changed lines': (side) => {
    side.edition += 1
    return push(side, 0, side.edition)
  },
  'push of 5,000 unchanged lines': (side) => push(side, linesPerPush),
}

await onThrowAwayDatabase(async (database, _connection, folder) => {
  const served = await serveCatalog(folder)
  const make = async (isRich: boolean): Promise<Side> => {
    const { token } = await makeShop(database, 0)
    const side = { url: served.url, token, isRich, firstId: 0, next: count, edition: 0 }
    if (isRich) await govern(side)
    for (let from = 0; from < count; from += linesPerPush) await push(side, from)
    const { results } = await send(side, 'GET', '/v2/products?page_size=1')
    return { ...side, firstId: results[0]?.id ?? 1 }
  }
  try {
    const sides = [await make(false), await make(true)]
    const works = { ...pushes }
    for (const [name, of] of Object.entries(reads))
      works[name] = async (side) =>
        (await load(side.url, side.token, of(side), Number(options.seconds))).perSecond
    console.log('| Work | Uses nothing, a second | Uses all, a second | All / nothing |\n|---|---|---|---|')
    for (const [name, work] of Object.entries(works)) {
      const rates: [number[], number[]] = [[], []]
      for (let round = 0; round < Number(options.rounds); round += 1)
        for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) rates[at]?.push(await work(sides[at] as Side))
      const [plain, rich] = rates.map(median) as [number, number]
      console.log(`| ${name} | ${Math.round(plain)} | ${Math.round(rich)} | ${(rich / plain).toFixed(2)} |`)
    }
    const home = (await send(sides[1] as Side, 'GET', '/v2/categories?parent__isnull=true')).results[0]?.id
    const under = await load(served.url, (sides[1] as Side).token, `/v2/products?category__under=${home}`, 2)
    console.log(
      `\ncategory__under of all products: ${Math.round(under.perSecond)} a second, median ${under.p50.toFixed(0)} ms`,
    )
  } finally {
    await served.stop()
  }
})
