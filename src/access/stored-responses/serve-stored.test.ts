import { beforeAll, beforeEach, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { everyCase } from '../../../test/every-case.ts'
import { startTestService, type Tenant, type TestResponse, type TestService } from '../../../test/harness.ts'
import { sendRequest } from '../../../test/requests/send-request.ts'
import { fromMemory as fromMemoryOf, observe as observeOn } from '../../../test/stored-responses.ts'
import type { FreshnessFaults } from '../../model/freshness/fresh-responses.ts'
import { sql } from '../../platform/database/sql.ts'
import { responseLimits } from '../../platform/limits/responses.ts'
import { updateProject } from '../projects/project.sql.ts'
import { issueToken } from '../tokens/manage-token.ts'
import { revokeTokenRow } from '../tokens/token.sql.ts'

/** Two services on one database, as two processes would be, and one that stores nothing. */
let connection: Awaited<ReturnType<typeof ownDatabase>>
let service: TestService
let other: TestService
let plain: TestService
let shop: Tenant
let product: number
let category: number
beforeAll(async () => {
  // On its own database, because other test files change plans, which invalidates all stored responses.
  connection = await ownDatabase('stored')
  service = await startTestService({}, connection)
  other = await startTestService({}, connection)
  plain = await startTestService({ cacheMegabytes: 0 }, connection)
})
beforeEach(async () => {
  shop = await service.tenant()
  const body = {
    sku: 'A',
    name: 'Lamp A',
    price: 5,
    categories: [{ name: 'Lamps' }],
    attributes: { color: 'red' },
  }
  const made = await shop.call('/v2/products', { method: 'POST', body })
  product = made.body.id
  category = made.body.categories[0].id
})

const observe = (send: () => Promise<TestResponse>, of = service) => observeOn(send, of)
const fromMemory = (send: () => Promise<TestResponse>, of = service) => fromMemoryOf(send, of)
const read = (path: string, options = {}) => shop.call(path, options)
const write = async (method: string, path: string, body?: unknown) => {
  const response = await shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

test('a write is seen at once in every process, by every kind of read', { tags: 'slow' }, async () => {
  const paths = [
    `/v2/products/${product}`,
    '/v2/products/by-sku/A',
    '/v2/products?search=lamp&expand=detail',
    '/v2/products/facets?facets=color',
    `/api/products/${product}`,
  ]
  for (const path of paths)
    for (const one of [service, other]) await fromMemory(() => one.call(path, { token: shop.token }), one)
  await write('PATCH', `/products/${product}`, { name: 'Lamp B', attributes: { color: 'blue' } })
  for (const path of paths)
    for (const one of [service, other])
      expect((await one.call(path, { token: shop.token })).text, path).toMatch(/Lamp B|"blue"/)
})

test('a detail stays in memory while other products change, and lists do not', { tags: 'slow' }, async () => {
  const detail = () => read(`/v2/products/${product}`)
  await fromMemory(detail)
  await fromMemory(() => read('/v2/products'))
  await write('POST', '/products', { sku: 'B', name: 'B' })
  expect(await observe(detail)).toMatchObject({ isHit: true })
  expect(await observe(() => read('/v2/products'))).toMatchObject({ isHit: false, body: { count: 2 } })
  // Also after the event has its number.
  await fromMemory(() => read('/v2/products'))
  expect(await observe(detail)).toMatchObject({ isHit: true })
})

/** Details that show other products, and the write that changes them. */
const dependents: [
  string,
  () => Promise<{ id: number; change: () => Promise<unknown>; shown: object; query?: string }>,
][] = [
  [
    'the stock and prices of a parent follow its variants',
    async () => {
      const parent = await write('POST', '/products', {
        sku: 'P',
        name: 'P',
        product_type: 'configurable',
        variant_axes: ['size'],
      })
      const variant = await write('POST', '/products', {
        sku: 'V',
        name: 'V',
        price: 1,
        parent: { id: parent.id },
        attributes: { size: 'S' },
        inventory: { quantity: 1 },
      })
      return {
        id: parent.id,
        change: () => write('PATCH', `/products/${variant.id}`, { price: 3, inventory: { quantity: 7 } }),
        shown: { variants: { price: { min: 3, max: 3 } }, inventory: { quantity: 7 } },
      }
    },
  ],
  [
    'a parent shows a new variant',
    async () => {
      const parent = await write('POST', '/products', {
        sku: 'P',
        name: 'P',
        product_type: 'configurable',
        variant_axes: ['size'],
      })
      return {
        id: parent.id,
        change: () =>
          write('POST', '/products', {
            sku: 'V',
            name: 'V',
            parent: { id: parent.id },
            attributes: { size: 'S' },
          }),
        shown: { variants: { count: 1 } },
      }
    },
  ],
  [
    'the stock of a bundle follows its components',
    async () => {
      await write('PATCH', `/products/${product}`, { inventory: { tracked: true, quantity: 1 } })
      const bundle = await write('POST', '/products', {
        sku: 'X',
        name: 'X',
        product_type: 'bundle',
        components: [{ sku: 'A', quantity: 1 }],
      })
      return {
        id: bundle.id,
        change: () =>
          write('POST', `/products/${product}/inventory/adjust`, { delta: 4, reason: 'Delivery' }),
        shown: { inventory: { quantity: 5 } },
      }
    },
  ],
  [
    'the stock of a group follows its members',
    async () => {
      await write('PATCH', `/products/${product}`, { inventory: { tracked: true, quantity: 1 } })
      const group = await write('POST', '/products', {
        sku: 'X',
        name: 'X',
        product_type: 'grouped',
        components: [{ sku: 'A', quantity: 1 }],
      })
      return {
        id: group.id,
        change: () => write('PATCH', `/products/${product}`, { inventory: { quantity: 9 } }),
        shown: { inventory: { quantity: 9 } },
      }
    },
  ],
  [
    'a variant inherits from its parent',
    async () => {
      const parent = await write('POST', '/products', {
        sku: 'P',
        name: 'P',
        description: 'Old',
        product_type: 'configurable',
        variant_axes: ['size'],
      })
      const variant = await write('POST', '/products', {
        sku: 'V',
        name: 'V',
        parent: { id: parent.id },
        attributes: { size: 'S' },
      })
      return {
        id: variant.id,
        query: '?resolve=parent',
        change: () => write('PATCH', `/products/${parent.id}`, { description: 'New' }),
        shown: { description: 'New' },
      }
    },
  ],
  [
    'a link shows the current SKU',
    async () => {
      const linking = await write('POST', '/products', {
        sku: 'X',
        name: 'X',
        links: { related: [{ id: product }] },
      })
      return {
        id: linking.id,
        change: () => write('PATCH', `/products/${product}`, { sku: 'AA' }),
        shown: { links: { related: [{ sku: 'AA' }] } },
      }
    },
  ],
  [
    'a reference to a product that does not exist yet',
    async () => {
      const variant = await write('POST', '/products', {
        sku: 'V',
        name: 'V',
        parent: { sku: 'P' },
        attributes: { size: 'S' },
      })
      return {
        id: variant.id,
        change: () =>
          write('POST', '/products', {
            sku: 'P',
            name: 'P',
            product_type: 'configurable',
            variant_axes: ['size'],
          }),
        shown: { parent: { id: expect.any(Number) } },
      }
    },
  ],
  [
    'a category has another name',
    async () => ({
      id: product,
      change: () => write('PATCH', `/categories/${category}`, { name: 'Lights' }),
      shown: { categories: [{ name: 'Lights' }] },
    }),
  ],
]

test.each(dependents)('in every process, also while the event has no number: %s', async (_, prepare) => {
  const { id, change, shown, query = '' } = await prepare()
  const path = `/v2/products/${id}${query}`
  for (const one of [service, other]) await fromMemory(() => one.call(path, { token: shop.token }), one)
  await change()
  for (const one of [service, other])
    expect((await one.call(path, { token: shop.token })).body).toMatchObject(shown)
})

test('category lists and trees follow names, and counts follow products', async () => {
  const paths = ['/v2/categories?expand=counts', '/v2/categories/tree']
  for (const path of paths) await fromMemory(() => read(path))
  await write('PATCH', `/categories/${category}`, { name: 'Lights' })
  for (const path of paths)
    expect((await read(path)).body.results).toMatchObject([{ name: 'Lights', products: 1 }])
  for (const path of paths) await fromMemory(() => read(path))
  await write('POST', '/products', { sku: 'B', name: 'B', categories: [category] })
  for (const path of paths) expect((await read(path)).body.results).toMatchObject([{ products: 2 }])
})

test('scores follow the quality rules, as soon as they are computed', async () => {
  const detail = () => read(`/v2/products/${product}`)
  await fromMemory(detail)
  await write('PUT', '/quality-rules', { rules: [{ code: 'mine', kind: 'price_present', points: 1 }] })
  const scored = async () => {
    const [row] = await service.database.query(
      sql<{ ruleset: number }>`select quality_ruleset as ruleset from products where id = ${product}`,
    )
    return { stored: row?.ruleset, shown: (await detail()).body.quality_score.rules?.length ?? 0 }
  }
  await expect.poll(async () => (await scored()).stored).toBe(1)
  expect(JSON.stringify((await detail()).body.quality_score)).toContain('mine')
})

test('a hit passes all checks: a revoked token, a changed plan, a scope and a rate limit apply at once', async () => {
  const path = `/v2/products/${product}`
  const narrow = await issueToken(service.database, { name: 'tester' }, shop.project, {
    scopes: ['prompts:read'],
  })
  await fromMemory(() => read(path))
  expect((await service.call(path, { token: narrow.token })).body.code).toBe('insufficient_scope')
  const wrong = `${shop.token.slice(0, -1)}${shop.token.endsWith('0') ? '1' : '0'}`
  expect((await service.call(path, { token: wrong })).status).toBe(401)
  await service.database.transaction((tx) => updateProject(tx, shop.project, { rateLimit: '1' }))
  const responses = await Promise.all(Array.from({ length: 10 }, () => read(path)))
  expect(responses.map(({ status }) => status)).toContain(429)
  await service.database.transaction((tx) =>
    updateProject(tx, shop.project, { rateLimit: 'none', apiAccess: 'off' }),
  )
  expect((await read(path)).body.code).toBe('api_access_locked')
  await service.database.transaction((tx) => updateProject(tx, shop.project, { apiAccess: 'on' }))
  await fromMemory(() => read(path))
  await revokeTokenRow(service.database, shop.tokenId)
  expect((await read(path)).body.code).toBe('invalid_token')
})

test('hits count as requests of the project and of the route', async () => {
  const path = `/v2/products/${product}`
  await fromMemory(() => read(path))
  const count = async () =>
    Number(
      /catalog_http_requests_total\{method="GET",route="\/v2\/products\/:id",status="200"\} (\d+)/.exec(
        (await service.call('/metrics')).text,
      )?.[1],
    )
  const before = await count()
  await read(path)
  expect(await count()).toBe(before + 1)
})

test('the console uses the same responses rules: members see writes at once, and only members see the project', {
  tags: 'slow',
}, async () => {
  const member = await consoleUser(service, { projects: [shop.project] })
  const stranger = await consoleUser(service)
  const path = `/console/api/projects/${shop.project}/products/${product}`
  await fromMemory(() => member.call(path))
  expect((await stranger.call(path)).status).toBe(404)
  await write('PATCH', `/products/${product}`, { price: 77 })
  expect((await member.call(path)).body.price).toBe(77)
  await fromMemory(() => member.call(path))
  await service.database
    .query(sql`delete from memberships where user_id = ${member.id}`)
    .catch(() =>
      service.database.transaction((tx) =>
        tx.query(sql`delete from memberships where user_id = ${member.id}`),
      ),
    )
  expect((await member.call(path)).status).toBe(404)
})

test('If-None-Match, HEAD and compression work on a hit as on a miss', async () => {
  const path = `/v2/products/${product}`
  const missed = await plain.call(path, { token: shop.token })
  const hit = await fromMemory(() => read(path))
  expect([hit.text, hit.headers.get('etag')]).toEqual([missed.text, missed.headers.get('etag')])
  const known = { 'if-none-match': hit.headers.get('etag') ?? '' }
  for (const method of ['GET', 'HEAD']) {
    const { isHit, status, text, headers } = await observe(() => read(path, { method, headers: known }))
    expect([isHit, status, text, headers.get('content-type')]).toEqual([true, 304, '', null])
    expect(headers.get('etag')).toBe(known['if-none-match'])
  }
  const head = await observe(() => read(path, { method: 'HEAD' }))
  expect([head.isHit, head.status, head.text]).toEqual([true, 200, ''])
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(hit.text)))
  for (const encoding of ['gzip', 'br', 'zstd']) {
    const headers = { 'accept-encoding': encoding }
    const responses = [
      await plain.call(path, { token: shop.token, headers }),
      await read(path, { headers }),
      await read(path, { headers }),
    ]
    for (const { text, headers: sent } of responses)
      expect([text, sent.get('content-encoding'), sent.get('etag'), sent.get('vary')]).toEqual([
        hit.text,
        encoding,
        hit.headers.get('etag'),
        'accept-encoding',
      ])
    expect(new Set(responses.map(({ headers: sent }) => sent.get('content-length'))).size).toBe(1)
  }
  expect(await observe(() => read(path, { headers: { 'accept-encoding': 'gzip' } }))).toMatchObject({
    isHit: true,
  })
})

test('responses about the past, errors and other parameters are not used for each other', async () => {
  const as_of = `/v2/products/${product}?as_of=${new Date().toISOString()}`
  for (const path of [as_of, '/v2/products/0', '/v2/products?page=9', '/v2/project']) {
    await read(path)
    expect(await observe(() => read(path))).toMatchObject({ isHit: false })
  }
  await fromMemory(() => read('/v2/products?page_size=1&status=active'))
  expect(await observe(() => read('/v2/products?status=active&page_size=1'))).toMatchObject({ isHit: true })
  expect(await observe(() => read('/v2/products?status=active&page_size=2'))).toMatchObject({ isHit: false })
  const elsewhere = await sendRequest(service.url, {
    method: 'GET',
    path: '/v2/products?page_size=1&status=active',
    headers: { host: 'localhost', authorization: `Bearer ${shop.token}` },
  })
  expect(elsewhere.status).toBe(200)
})

test('a hit and a miss are the same bytes for every cached route and parameter', {
  tags: 'slow',
}, async () => {
  const { body: prompt } = await shop.call('/v2/prompts', {
    method: 'POST',
    body: { name: 'P', prompt_text: 'T' },
  })
  for (let count = 0; count < 25; count += 1)
    await write('POST', '/products', { sku: `L${count}`, name: `Lamp ${count}` })
  await write('PUT', '/views/de', { label: 'German' })
  // Until the products are marked, filters by view return 409.
  await service.database.query(
    sql`update scoring_jobs set is_marking = false where project_id = ${shop.project}`,
  )
  const paths = await everyParameter({ prompt: prompt.id })
  await everyCase(
    paths,
    (path) => path,
    async (path) => {
      const missed = await plain.call(path, { token: shop.token })
      expect(missed.status).toBe(200)
      for (const { text, headers } of [await read(path), await fromMemory(() => read(path))]) {
        expect(text.replaceAll(service.url, plain.url)).toBe(missed.text)
        expect(shownHeaders(headers)).toEqual(shownHeaders(missed.headers))
      }
    },
    // One at a time, because hits are counted per service. Background work can drop a response, which is then read again.
    { atOnce: 1 },
  )
})

/** Links in the body differ between services, and so do the tags. Compares only whether tags exist. */
function shownHeaders(headers: Headers): Record<string, string> {
  const own = ['x-request-id', 'date', 'ratelimit', 'content-length', 'etag']
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)))
}

type Parameter = {
  name: string
  in: string
  schema: { type?: string | string[]; enum?: unknown[]; format?: string; items?: { enum?: string[] } }
}

/** Every cached route with each parameter that the OpenAPI document names. */
async function everyParameter({ prompt }: { prompt: number }): Promise<string[]> {
  const values: Record<string, string | number> = {
    ...{
      project: shop.project,
      category,
      category__under: category,
      category__in: category,
      sku: 'A',
      sku__in: 'A,L1',
    },
    ...{
      id__in: product,
      parent_sku: 'A',
      category_path: 'Lamps',
      category_path__under: 'Lamps',
      ordering: '-id',
    },
    ...{
      quality_rule: 'name',
      written_by_prompt: prompt,
      attributes: '',
      facets: 'color',
      page: 'last',
      parent: category,
      view: 'de',
    },
    ...{ missing_in: 'de', stale_in: 'de', differs_in: 'de' },
  }
  const alone: Record<string, string> = {
    written_by_version: `written_by_prompt=${prompt}&written_by_version=1.0.0`,
    written_by_version__lt: `written_by_prompt=${prompt}&written_by_version__lt=1.0.0`,
    attributes: 'attributes__color=red',
    match: 'search=lmap&match=close',
    quality_rule: '',
    as_of: '',
  }
  const routes = {
    '/products': '/products',
    '/products/{id}': `/products/${product}`,
    '/products/by-sku/{sku}': '/products/by-sku/A',
    '/products/facets': '/products/facets?facets=color',
    '/products/duplicates': '/products/duplicates',
    '/categories': '/categories',
    '/categories/tree': '/categories/tree',
  }
  const { body } = await service.call('/openapi.json')
  return Object.entries(routes).flatMap(([route, path]) => {
    const parameters = body.paths[route].get.parameters as Parameter[]
    const queries = parameters
      .filter((parameter) => parameter.in === 'query')
      .map(
        ({ name, schema }) =>
          alone[name] ?? `${name}=${encodeURIComponent(values[name] ?? sampleOf(schema))}`,
      )
    const separator = path.includes('?') ? '&' : '?'
    const others = queries.filter((query) => query !== '' && !path.includes(query.split('=')[0] as string))
    return ['/v2', '/api']
      .map((prefix) => prefix + path)
      .concat(others.map((query) => `/v2${path}${separator}${query}`))
  })
}

function sampleOf({ type, enum: choices, format, items }: Parameter['schema']): string | number {
  if (choices !== undefined) return String(choices[0])
  if (items?.enum !== undefined) return items.enum[0] as string
  if (format === 'date-time') return '2026-01-31T12:00:00Z'
  const kind = [type].flat()[0]
  return kind === 'boolean' ? 'true' : kind === 'string' ? 'lamp' : 1
}

test('the memory is reported; with size 0, nothing is stored or reported', async () => {
  await fromMemory(() => read(`/v2/products/${product}`))
  const bytes = async () =>
    Number(/^catalog_cache_bytes (\d+)$/m.exec((await service.call('/metrics')).text)?.[1])
  await expect.poll(bytes).toBeGreaterThan(1_000)
  const { text } = await service.call('/metrics')
  expect(text).toMatch(/^catalog_cache_evictions_total \d+$/m)
  expect(text).toContain(`catalog_cache_requests_total{result="hit"} ${service.countHits()}\n`)
  expect((await plain.call('/metrics')).text).not.toContain('catalog_cache')
})

test('SKUs with the same parts in another order have their own responses', async () => {
  const skus = ['S&M&L', 'S&L&M']
  for (const sku of skus) await write('POST', '/products', { sku, name: sku })
  const headers = { authorization: `Bearer ${shop.token}` }
  // An unencoded & is valid in a path.
  const skuOf = async (sku: string) => {
    const path = `/v2/products/by-sku/${sku}`
    return (await sendRequest(service.url, { method: 'GET', path, headers })).body.sku
  }
  for (let round = 0; round < 3; round += 1) for (const sku of skus) expect(await skuOf(sku)).toBe(sku)
})

test('a full memory learns which lists are requested again, instead of being skipped', {
  tags: 'slow',
}, async () => {
  const small = await startTestService({ cacheMegabytes: 1 }, connection)
  const own = await small.tenant()
  const body = Array.from({ length: 10 }, (_, place) => ({
    sku: `LONG-${place}`,
    name: 'x'.repeat(200),
    price: 1,
  }))
  await own.call('/v2/products/bulk', { method: 'POST', body })
  const paths = Array.from(
    { length: responseLimits.sampledRequests - 2 * responseLimits.leastHits },
    (_, page) => `/v2/products?page_size=10&price__lte=${1 + page}`,
  )
  const readAll = async (some: string[]) => {
    for (let from = 0; from < some.length; from += 50)
      await Promise.all(some.slice(from, from + 50).map((path) => own.call(path)))
  }
  await readAll([...paths, ...paths.slice(-2 * responseLimits.leastHits)])
  const last = paths.at(-1) as string
  expect((await observeOn(() => own.call(last), small)).isHit).toBe(true)
})

test('each list from memory has its own hint', async () => {
  await write('PATCH', `/products/${product}`, { attributes: { size: 'S' } })
  const hints = {
    'attributes__colr=red': 'no attribute "colr"; did you mean "color"?',
    'attributes__sizee=S': 'no attribute "sizee"; did you mean "size"?',
    'attributes__color=none': null,
  }
  const hintOf = ({ headers }: TestResponse) => headers.get('catalog-hint')
  const expected = Object.entries(hints).map(([query, hint]) => [`/v2/products?${query}`, hint] as const)
  for (const [path, hint] of expected) expect(hintOf(await fromMemory(() => read(path)))).toBe(hint)
  for (const [path, hint] of expected) {
    const { isHit, headers } = await observe(() => read(path))
    expect([isHit, headers.get('catalog-hint')]).toEqual([true, hint])
  }
})

test('facets are in the requested order, however the list is sent', async () => {
  await write('PATCH', `/products/${product}`, { attributes: { size: 'S' } })
  await shop.call('/v2/events')
  const order = async (query: string) =>
    (await read(`/v2/products/facets?${query}`)).body.facets.map(
      ({ attribute }: { attribute: string }) => attribute,
    )
  for (let round = 0; round < 3; round += 1) {
    expect(await order('facets[1]=size&facets[0]=color')).toEqual(['size', 'color'])
    expect(await order('facets[0]=color&facets[1]=size')).toEqual(['color', 'size'])
  }
})

const faults: [string, FreshnessFaults][] = [
  ['ignores the fence', { ignoreFence: true }],
  ['ignores a kind of write', { ignoreType: 'product.stock_changed' }],
  ['does not drop dependents', { keepDependents: true }],
]

test.each(faults)('these tests would find a cache that %s', { tags: 'slow' }, async (_, cacheFaults) => {
  const wrong = await startTestService({}, connection, { cacheFaults })
  await write('PATCH', `/products/${product}`, { inventory: { tracked: true, quantity: 1 } })
  const components = [{ sku: 'A', quantity: 1 }]
  const bundle = await write('POST', '/products', { sku: 'X', name: 'X', product_type: 'bundle', components })
  const detail = () => wrong.call(`/v2/products/${bundle.id}`, { token: shop.token })
  await fromMemory(detail, wrong)
  await write('POST', `/products/${product}/inventory/adjust`, { delta: 4, reason: 'Delivery' })
  expect((await detail()).body.inventory.quantity).toBe(1)
  expect((await read(`/v2/products/${bundle.id}`)).body.inventory.quantity).toBe(5)
})
