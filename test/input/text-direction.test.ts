import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { sharedTestService, type Tenant, type TestResponse, type TestService } from '../harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const send = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const pointersOf = ({ body }: TestResponse) => body.errors?.map(({ pointer }: { pointer: string }) => pointer)

const controls = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069].map((code) =>
  String.fromCodePoint(code),
)
const turned = 'A\u202eB'

const product = { sku: 'T-1', name: 'Name' }
const fields: [object, string][] = [
  [{ sku: turned }, '/sku'],
  [{ name: turned }, '/name'],
  [{ attributes: { [turned]: 1 } }, `/attributes/${turned}`],
  [{ media: [{ url: `https://images.example/${turned}` }] }, '/media/0/url'],
  [{ parent: { sku: turned } }, '/parent/sku'],
  [{ links: { related: [{ sku: turned }] } }, '/links/related/0/sku'],
  [{ product_type: 'bundle', components: [{ sku: turned }] }, '/components/0/sku'],
  [{ product_type: 'bundle', components: [{ sku: 'C', choice: turned }] }, '/components/0/choice'],
  [{ categories: [{ name: turned }] }, '/categories/0/name'],
  [{ categories: [{ path: ['Home', turned] }] }, '/categories/0/path'],
]

describe('fault 14: bidirectional controls', () => {
  test.each(fields)('in %j of a product are rejected by every kind of write', async (field, pointer) => {
    const { body: held } = await send('PUT', '/products/by-sku/T-HELD', { name: 'Held' })
    const writes = [
      send('POST', '/products', { ...product, ...field }),
      send('PATCH', `/products/${held.id}`, field),
      send('PUT', `/products/${held.id}`, { sku: 'T-HELD', name: 'Held', ...field }),
      ...('sku' in field ? [] : [send('PUT', '/products/by-sku/T-NEW', { name: 'New', ...field })]),
    ]
    for (const response of await Promise.all(writes))
      expect([response.status, pointersOf(response)]).toEqual([422, [pointer]])
    const lines = [{ ...product, ...field }, ...('sku' in field ? [] : [{ sku: 'T-HELD', ...field }])]
    for (const path of ['/products/bulk', '/products/bulk?dry_run=true'])
      for (const { outcome, errors } of (await send('POST', path, lines)).body.results)
        expect([outcome, errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
          'rejected',
          [pointer],
        ])
    const proposal = await send('POST', '/proposals', lines)
    expect(proposal.body.summary.outcomes.rejected).toBe(lines.length)
  })

  test('are rejected in all other names and in URLs', async () => {
    const { body: category } = await send('POST', '/categories', { name: 'Named' })
    const { body: prompt } = await send('POST', '/prompts', { name: 'Named', prompt_text: 'T' })
    for (const control of controls) {
      const name = `A${control}B`
      const responses = await Promise.all([
        send('POST', '/categories', { name }),
        send('PATCH', `/categories/${category.id}`, { name }),
        send('POST', '/prompts', { name, prompt_text: 'T' }),
        send('PATCH', `/prompts/${prompt.id}`, { name }),
        send('POST', '/attributes', { name, type: 'text' }),
        send('POST', '/attributes', { name: 'a', type: 'text', label: name }),
        send('POST', '/webhooks', { url: `https://hooks.example/${name}` }),
        send('PUT', `/products/by-sku/${encodeURIComponent(name)}`, { name: 'Named' }),
      ])
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 422))
      expect(pointersOf(responses[4] as TestResponse)).toEqual(['/name'])
      expect((responses[5] as TestResponse).body.errors[0].message).toContain(
        'bidirectional control characters',
      )
      const title = await send('POST', `/proposals?title=${encodeURIComponent(name)}`, [product])
      expect([title.status, title.body.errors[0].parameter]).toEqual([400, 'title'])
    }
  })

  test('in existing products stay readable, can be sent back, and do not block other changes', async () => {
    const { body: category } = await send('POST', '/categories', { name: 'Turned later' })
    const { body } = await send('POST', '/products', { ...product, sku: 'OLD', categories: [category.id] })
    const media = JSON.stringify([
      { url: `https://a.example/${turned}`, kind: 'image', alt: null, title: null },
    ])
    await service.database.query(sql`
      update products set name = ${turned}, sku = ${turned}, media = ${media}::jsonb
      where project_id = ${shop.project} and id = ${body.id}`)
    await service.database.query(sql`
      update categories set name = ${turned} where project_id = ${shop.project} and id = ${category.id}`)
    const address = `/products/${body.id}`
    const { body: shown } = await send('GET', address)
    expect([shown.name, shown.sku]).toEqual([turned, turned])
    expect((await send('PUT', address, shown)).status).toBe(200)
    expect((await send('POST', '/products/bulk', [shown])).body.summary.unchanged).toBe(1)
    const patched = await send('PATCH', address, { price: 5, links: { related: [{ sku: 'T-LINK' }] } })
    expect([patched.status, patched.body.name, patched.body.version]).toEqual([200, turned, 2])
    expect((await send('PUT', address, { ...patched.body, description: 'New' })).body.version).toBe(3)
    const other = await send('POST', '/products', {
      ...product,
      sku: 'LINKED',
      links: { related: [{ sku: turned }] },
    })
    expect(other.status).toBe(201)
    const { body: own } = await send('GET', `/categories/${category.id}`)
    expect((await send('PATCH', `/categories/${category.id}`, own)).status).toBe(200)
    expect((await send('PATCH', address, { name: `${turned}C` })).status).toBe(422)
  })
})

const impossible = [
  'https://-a.example/',
  'https://a-.example/',
  'https://a..example/',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'a.'.repeat(130)}example/`,
  'https://a!b.example/',
  "https://a'b.example/",
  'https://.example/',
]

test('a webhook URL with an impossible host name is rejected', async () => {
  for (const url of impossible) {
    const response = await send('POST', '/webhooks', { url })
    expect([url, response.status, pointersOf(response)]).toEqual([url, 422, ['/url']])
  }
  for (const url of [
    'https://a_b.example/',
    'https://bücher.example/',
    'https://a.example./',
    'https://1-2.example/',
  ])
    expect([url, (await send('POST', '/webhooks', { url })).status]).toEqual([url, 201])
})
