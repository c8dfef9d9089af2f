import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sharedTestService, type Tenant, type TestResponse, type TestService } from './harness.ts'

let service: TestService
let shop: Tenant
let document: {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Shape }> } }>>
  components: { schemas: Record<string, Shape> }
}
type Shape = { $ref?: string; properties?: Record<string, Shape>; readOnly?: boolean; 'x-measured'?: boolean }

beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  document = JSON.parse((await service.call('/openapi.json')).text)
  await fill()
})

const send = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })

async function create(path: string, body: object, method = 'POST') {
  const response = await send(method, path, body)
  expect([response.status < 300, response.text]).toEqual([true, expect.anything()])
  return response.body
}

const ids: Record<string, number> = {}
const skus = ['PLAIN', 'RICH', 'OWED', 'TEE', 'TEE-S', 'BUNDLE', 'LATE', 'ARCHIVED']

/** Products of every type with every field, and one of every other object. */
async function fill(): Promise<void> {
  const prompt = await create('/prompts', {
    name: 'Writer',
    prompt_text: 'Describe {{name}}',
    description: 'd',
  })
  await create(`/prompts/${prompt.id}/labels/production`, { version_number: '1.0.0' }, 'PUT')
  const home = await create('/categories', { name: 'Home', position: 2 })
  const lamps = await create('/categories', { name: 'Lamps', parent: home.id })
  await create('/categories', { name: 'Lamps' })
  const written = { prompt_id: prompt.id, version_number: '1.0.0', model: 'm' }
  const lines = [
    { sku: 'PLAIN', name: 'Plain' },
    {
      sku: 'RICH',
      name: 'Rich',
      description: 'Text',
      price: 19.9999,
      status: 'active',
      categories: [lamps.id, home.id],
      attributes: { color: ['red', 'blue'], size: 4, 'a b': true, weight: 'heavy' },
      media: [{ url: 'https://images.example/1.jpg' }],
      links: { related: [{ sku: 'PLAIN' }, { sku: 'NOBODY' }] },
      inventory: { quantity: 5, reserved: 2, low_stock_threshold: 1 },
      provenance: written,
    },
    { sku: 'OWED', name: 'Owed', inventory: { quantity: -3, backorders: true } },
    { sku: 'TEE', name: 'Tee', product_type: 'configurable', variant_axes: ['size'] },
    {
      sku: 'TEE-S',
      name: 'Tee S',
      parent: { sku: 'TEE' },
      attributes: { size: 'S' },
      inventory: { quantity: 7 },
    },
    {
      sku: 'BUNDLE',
      name: 'Bundle',
      product_type: 'bundle',
      components: [
        { sku: 'TEE-S', quantity: 2 },
        { sku: 'RICH', choice: 'Light', default: true },
      ],
    },
    { sku: 'LATE', name: 'Late', parent: { sku: 'NOT-YET' }, attributes: { size: 'L' } },
    { sku: 'ARCHIVED', name: 'Archived', status: 'archived' },
  ]
  const pushed = await create('/products/bulk', lines)
  expect(pushed.summary.created).toBe(lines.length)
  for (const { sku, id } of pushed.results) ids[sku] = id
  // Defined after the values, which stay and can be written back.
  await create('/attributes', { name: 'weight', type: 'number', mode: 'enforce', unit: 'kg', min: 0 })
  await create('/attributes', { name: 'size', type: 'text', required_for: { categories: [home.id] } })
  const { rules } = (await send('GET', '/quality-rules')).body
  await create('/quality-rules', { rules: rules.slice(0, 3) }, 'PUT')
  await create('/views/de', { label: 'German', locale: 'de-DE', requires: ['name'] }, 'PUT')
  await create(`/products/${ids['RICH']}`, { views: { de: { name: 'Lampe', price: 5 } } }, 'PATCH')
  const webhook = await create('/webhooks', {
    url: 'https://hooks.example/in',
    types: ['product.*', 'webhook.*'],
  })
  Object.assign(ids, { prompt: prompt.id, category: lamps.id, webhook: webhook.id })
  await vi.waitUntil(isScored, 50_000)
}

/** Until then, scores change in the background. */
async function isScored(): Promise<boolean> {
  const { progress } = (await send('GET', '/quality-rules')).body
  return progress === null || progress.scored === progress.products
}

/** Everything that a write may change. */
async function readState() {
  const details = await Promise.all(skus.map((sku) => send('GET', `/products/${ids[sku]}?expand=views`)))
  const histories = await Promise.all(skus.map((sku) => send('GET', `/products/${ids[sku]}/history`)))
  return {
    products: details.map(({ text }) => text),
    versions: histories.map(({ body }) => body.count),
    adjustments: (await send('GET', `/products/${ids['RICH']}/inventory/adjustments`)).body.count,
    head: (await send('GET', '/events?limit=1')).body.head,
    categories: (await send('GET', '/categories')).text,
    prompts: (await send('GET', '/prompts')).text,
    moves: (await send('GET', `/prompts/${ids['prompt']}/label-moves`)).text,
    attributes: (await send('GET', '/attributes')).text,
    views: (await send('GET', '/views')).body.results.map(({ label }: { label: string }) => label),
    rules: { ...(await send('GET', '/quality-rules')).body, progress: null },
    webhooks: (await send('GET', '/webhooks')).body.results.map(
      ({ updated_at }: { updated_at: string }) => updated_at,
    ),
  }
}

/** URLs of every path that can be read and written. */
const written: Record<string, () => string[]> = {
  '/products/{id}': () => skus.map((sku) => `/products/${ids[sku]}`),
  '/products/by-sku/{sku}': () => skus.map((sku) => `/products/by-sku/${sku}`),
  '/categories/{id}': () => [`/categories/${ids['category']}`],
  '/prompts/{id}': () => [`/prompts/${ids['prompt']}`],
  '/prompts/{id}/labels/{label}': () => [`/prompts/${ids['prompt']}/labels/production`],
  '/attributes': () => ['/attributes'],
  '/attributes/{name}': () => ['/attributes/weight', '/attributes/size'],
  '/quality-rules': () => ['/quality-rules'],
  '/views/{code}': () => ['/views/de'],
  '/webhooks/{id}': () => [`/webhooks/${ids['webhook']}`],
}

const writesOf = (path: string) => ['put', 'patch'].filter((method) => method in (document.paths[path] ?? {}))

/** A PUT takes the list of definitions as a set. */
const asSent = (path: string, body: { results?: unknown }) =>
  path === '/attributes' ? { attributes: body.results } : body

describe('a response can be written back', () => {
  test('the test covers every route that can be read and written', () => {
    const both = Object.keys(document.paths).filter(
      (path) => 'get' in (document.paths[path] ?? {}) && writesOf(path).length > 0,
    )
    expect(Object.keys(written).toSorted()).toEqual(both.toSorted())
  })

  test('fault 37: GET then PUT, PATCH and push of the same object returns 200 and changes nothing', async () => {
    const before = await readState()
    for (const [path, addresses] of Object.entries(written))
      for (const address of addresses()) {
        const { body } = await send('GET', address)
        for (const method of writesOf(path)) {
          const response = await send(method.toUpperCase(), address, asSent(path, body))
          expect([method, address, response.status, response.body.errors]).toEqual([
            method,
            address,
            200,
            undefined,
          ])
        }
      }
    const details = before.products.map((text) => JSON.parse(text))
    for (const query of ['', '?dry_run=true', '?on_error=abort', '?mode=update']) {
      const { body } = await send('POST', `/products/bulk${query}`, details)
      expect([
        query,
        body.results.flatMap(({ errors }: { errors: object[] }) => errors),
        body.summary.unchanged,
      ]).toEqual([query, [], details.length])
    }
    const exported = (await send('GET', '/products/export')).text
    const pushed = await shop.call('/v2/products/bulk', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: exported,
    })
    expect(pushed.body.summary).toMatchObject({ unchanged: skus.length, rejected: 0 })
    const exportedIds = exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ id, version, sku }) => ({ id, version, sku }))
    const byId = details.toSorted((one, other) => one.id - other.id)
    expect(exportedIds).toEqual(byId.map(({ id, version, sku }) => ({ id, version, sku })))
    const again = await send('PUT', '/quality-rules', { rules: before.rules.rules })
    expect(again.status).toBe(200)
    expect(await readState()).toEqual(before)
  })

  test('the default rules and an empty list of definitions can also be written back', async () => {
    const bare = await service.tenant()
    const rules = await bare.call('/v2/quality-rules')
    const put = await bare.call('/v2/quality-rules', { method: 'PUT', body: rules.body })
    expect([put.status, put.text]).toEqual([200, rules.text])
    expect((await bare.call('/v2/events')).body.results).toEqual([])
  })

  test('other fields can change in the same write, and computed stock stays', async () => {
    const { body } = await send('GET', `/products/${ids['BUNDLE']}`)
    const put = await send('PUT', `/products/${ids['BUNDLE']}`, { ...body, name: 'Better bundle' })
    expect([put.status, put.body.name, put.body.version]).toEqual([200, 'Better bundle', body.version + 1])
    expect(put.body.inventory).toEqual(body.inventory)
  })

  test('a changed read-only field is an error with its pointer, and nothing is written', async () => {
    const before = await readState()
    const paths = Object.keys(written).filter((path) => path !== '/attributes')
    for (const path of paths) {
      const [address = ''] = written[path]?.() ?? []
      const { body } = await send('GET', address)
      for (const method of writesOf(path)) {
        const schema = bodyOf(path, method)
        const readOnly = Object.entries(schema.properties ?? {}).filter(
          ([, property]) => property.readOnly === true && property['x-measured'] !== true,
        )
        for (const [name] of readOnly) {
          const response = await send(method.toUpperCase(), address, { ...body, [name]: 'other' })
          const found = { method, address, status: response.status, errors: response.body.errors }
          const error = {
            pointer: `/${name}`,
            code: 'read_only',
            message: expect.stringContaining('read-only'),
          }
          expect(found).toEqual({ method, address, status: 422, errors: [error] })
        }
      }
    }
    const rich = JSON.parse(before.products[1] as string)
    const lines = [
      { ...rich, version: rich.version + 1, name: 'No' },
      { sku: 'RICH', inventory: { ...rich.inventory, available: 99 } },
      { sku: 'RICH', provenance: {} },
      { sku: 'RICH', categories: [{ id: ids['category'], name: 'Lamp' }] },
    ]
    const { results } = (await send('POST', '/products/bulk', lines)).body
    expect(results.map(({ errors }: { errors: { pointer: string }[] }) => errors[0]?.pointer)).toEqual([
      '/version',
      '/inventory/available',
      '/provenance',
      '/categories/0/name',
    ])
    expect(await readState()).toEqual(before)
  })

  test('read-only fields are errors in a create', async () => {
    const body = { sku: 'NEW', name: 'New', id: 5, version: 1 }
    for (const [method, path] of [
      ['POST', '/products'],
      ['PUT', '/products/by-sku/NEW'],
    ] as const) {
      const response = await send(method, path, body)
      expect([
        response.status,
        response.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ]).toEqual([422, ['/id', '/version']])
    }
    const own = { id: ids['PLAIN'], version: 1 }
    const others = [{ id: 5 }, { version: 1 }, { provenance: {} }, own]
    const lines = others.map((other) => ({ sku: 'NEW', name: 'New', ...other }))
    const pushed = await send('POST', '/products/bulk', lines)
    expect(pushed.body.summary.rejected).toBe(lines.length)
    expect(pushed.body.results[0].errors[0]).toMatchObject({ pointer: '/id', code: 'read_only' })
  })

  test('a line is compared with the result of an earlier line for the same product', async () => {
    const { body } = await send('GET', `/products/${ids['PLAIN']}`)
    const lines = [
      { sku: 'PLAIN', version: body.version, name: 'Plainer' },
      { sku: 'PLAIN', version: body.version, name: 'Plainest' },
      { sku: 'PLAIN', version: body.version + 1, id: body.id, description: 'Known' },
    ]
    for (const query of ['?dry_run=true', '']) {
      const { results } = (await send('POST', `/products/bulk${query}`, lines)).body
      expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        'updated',
        'rejected',
        'updated',
      ])
    }
  })
})

describe('the product shape', () => {
  test('an export can be pushed to another project, and any other response with read_only=ignore', async () => {
    const other = await service.tenant()
    const body = (await send('GET', '/products/export')).text
    const headers = { 'content-type': 'application/x-ndjson' }
    const push = (query: string) => other.call(`/v2/products/bulk${query}`, { method: 'POST', headers, body })
    expect((await push('')).body.summary).toMatchObject({ created: skus.length, rejected: 0 })
    expect((await push('')).body.summary).toMatchObject({ unchanged: skus.length, rejected: 0 })
    const { body: detail } = await send('GET', `/products/${ids['ARCHIVED']}`)
    const whole = (query: string) =>
      other.call(`/v2/products/bulk${query}`, { method: 'POST', body: [{ ...detail, name: 'Other' }] })
    expect((await whole('')).body.summary.rejected).toBe(1)
    expect((await whole('?read_only=ignore&dry_run=true')).body.summary.updated).toBe(1)
    const proposal = await other.call('/v2/proposals?read_only=ignore', { method: 'POST', headers, body })
    expect(proposal.body.summary.outcomes).toMatchObject({ unchanged: skus.length })
    const withoutIds = (text: string) => text.replaceAll(/,"(id|version)":\d+/g, '')
    expect(withoutIds((await other.call('/v2/products/export')).text)).toBe(withoutIds(body))
  })

  test('the event and history entry of a creation have every field of the detail and the initial quantity', async () => {
    const own = await service.tenant()
    const create = async (body: object) => (await own.call('/v2/products', { method: 'POST', body })).body
    const plain = await create({ sku: 'P', name: 'Plain' })
    const stocked = await create({
      sku: 'S',
      name: 'Stocked',
      categories: [{ name: 'A' }],
      attributes: { a: 1 },
      inventory: { quantity: 5, reserved: 1 },
    })
    const adjust = { method: 'POST', body: { delta: -2, reason: 'Sold' } }
    await own.call(`/v2/products/${stocked.id}/inventory/adjust`, adjust)
    await own.call(`/v2/products/${stocked.id}`, { method: 'PATCH', body: { name: 'Other', links: {} } })
    const { results } = (await own.call('/v2/events?types=product.created')).body
    for (const [index, detail] of [plain, stocked].entries()) {
      const { before, after } = results[index].data
      const { tracked, quantity, low_stock_threshold, backorders } = detail.inventory
      const fields = Object.keys(after).filter((name) => name !== 'inventory')
      expect(before).toBeNull()
      expect(after).toEqual({
        ...Object.fromEntries(fields.map((name) => [name, detail[name]])),
        inventory: { tracked, quantity, low_stock_threshold, backorders },
      })
      const writable = Object.entries(bodyOf('/products', 'post').properties ?? {}).map(([name]) => name)
      expect(Object.keys(after).toSorted()).toEqual(
        writable.filter((name) => !['provenance', 'views'].includes(name)).toSorted(),
      )
      const history = await own.call(`/v2/products/${detail.id}/history?page=last&page_size=1`)
      expect(history.body.results[0].after).toEqual(after)
    }
  })
})

function bodyOf(path: string, method: string): Shape {
  const { content = {} } = document.paths[path]?.[method]?.requestBody ?? {}
  const { $ref = '' } = content['application/json']?.schema ?? {}
  return document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}
}
