import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import type { FieldName } from '../../model/fields/product-fields.ts'
import { type Content, contentOf, defaultContent } from '../../model/product/product-content.ts'
import { sql } from '../../platform/database/sql.ts'
import { listChanges } from '../products/history/product-history.sql.ts'
import { findProducts } from '../products/product.sql.ts'
import { findContentAt } from './past-content.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const done = async (method: string, path: string, body?: object) => {
  const { status, body: response, text } = await shop.call(`/v2${path}`, { method, ...(body && { body }) })
  expect(status, text).toBeLessThan(300)
  return response
}
/** The history of a product: its changes, and its content after each of them. */
async function pastOf(id: number) {
  const page = { number: 1, size: 100 }
  const { results } = await listChanges(service.database, shop.project, id, page, 1_000_000)
  const contents = results.map(async ({ version }) => {
    const past = await findContentAt(service.database, shop.project, id, { version })
    return [version, { ...defaultContent, ...past?.content }] as const
  })
  return { changes: results, contents: new Map(await Promise.all(contents)) }
}

const text = fc.string({ maxLength: 12 })
const other = fc.constantFrom('PART-1', 'PART-2', 'NOT-THERE').map((sku) => ({ sku }))
const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())
/** Every field: a new field is a type error here. */
const values: Record<Exclude<FieldName, 'sku'> | 'inventory', fc.Arbitrary<unknown>> = {
  name: fc.constantFrom('Mug', 'Cup', 'Größe "M" \\'),
  description: text,
  short_description: text,
  price: fc.option(fc.integer({ min: 0, max: 99_999_999 }).map((cents) => cents / 100)),
  status: fc.constantFrom('active', 'inactive', 'archived'),
  product_type: fc.constantFrom('simple', 'virtual', 'bundle', 'configurable'),
  categories: fc
    .uniqueArray(fc.constantFrom('A', 'B', 'C'), { maxLength: 3 })
    .map((names) => names.map((name) => ({ name }))),
  attributes: fc.dictionary(
    fc.constantFrom('color', 'size', 'weight', '__proto__'),
    fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 2 })),
  ),
  media: fc
    .uniqueArray(fc.constantFrom('https://example.com/1.png', 'https://example.com/2.png'), { maxLength: 2 })
    .map((urls) => urls.map((url) => ({ url }))),
  parent: fc.option(fc.constant({ sku: 'PARENT' })),
  variant_axes: fc.constantFrom([], ['color']),
  components: fc.uniqueArray(other, { maxLength: 2, selector: ({ sku }) => sku }),
  links: fc.dictionary(fc.constantFrom('related', 'upsell'), fc.array(other, { maxLength: 2 })),
  inventory: fc.record(
    { tracked: fc.boolean(), low_stock_threshold: fc.option(fc.nat(9)), backorders: fc.boolean() },
    { requiredKeys: [] },
  ),
}
/** Contradicting fields are rejected; a few fields at once are mostly valid. */
const patch = fc
  .tuple(
    fc.record(values),
    fc.uniqueArray(fc.constantFrom(...Object.keys(values)), { minLength: 1, maxLength: 3 }),
  )
  .map(([all, names]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))))

/** Random changes alone could miss a field. */
const everyField = [
  {
    name: 'Bundle',
    description: 'D',
    short_description: 'S',
    price: 12.5,
    status: 'active',
    product_type: 'bundle',
    categories: [{ name: 'B' }, { name: 'A' }],
    attributes: { color: 'red' },
    media: [{ url: 'https://example.com/1.png' }],
    components: [{ sku: 'PART-1' }],
    links: { related: [{ sku: 'NOT-THERE' }] },
    inventory: { low_stock_threshold: 3 },
  },
  { product_type: 'configurable', variant_axes: ['color'] },
  { parent: { sku: 'PARENT' } },
]

/** The content of each product by its versions. */
type Seen = Map<number, Map<number, Content>>
async function look(ids: number[], seen: Seen): Promise<void> {
  const keys = ids.map((id) => ({ projectId: shop.project, id }))
  for (const row of (await findProducts(service.database, keys)).values())
    seen.getOrInsert(row.id, new Map()).set(row.version, contentOf(row))
}

test('the content of every version follows from the current product and its changes', {
  tags: 'slow',
}, async () => {
  const others = [
    { sku: 'PARENT', name: 'Parent', product_type: 'configurable' },
    { sku: 'PART-1', name: 'Part' },
    { sku: 'PART-2', name: 'Part' },
  ]
  await done('POST', '/products/bulk', others)
  const push = async (patches: object[]) => {
    const lines = patches.map((fields, at) => ({ sku: `P-${at}`, name: 'New', ...fields }))
    const { results } = await done('POST', '/products/bulk', lines)
    return results.flatMap(({ id }: { id: number | null }) => id ?? [])
  }
  const seen: Seen = new Map()
  await look(await push([{}, {}, {}, ...fc.sample(patch, 12)]), seen)
  for (let round = 0; round < 6; round += 1)
    await look(await push([...everyField, ...fc.sample(patch, 12)]), seen)
  const pasts = await Promise.all([...seen.keys()].map(pastOf))
  expect(pasts.map(({ contents }) => contents)).toEqual([...seen.values()])
  const shown = (content: Content | undefined) => ({
    ...content,
    inventory: { ...content?.inventory, quantity: 0 },
  })
  expect(pasts.map(({ changes }) => changes.at(-1)?.after)).toEqual(
    [...seen.values()].map((versions) => shown(versions.get(1))),
  )
  const changed = pasts.flatMap(({ changes }) => changes.flatMap(({ before }) => Object.keys(before ?? {})))
  expect(new Set(changed)).toEqual(new Set(Object.keys(values)))
})

test('a revert to the first version restores every field and does not change the stock', async () => {
  const { id } = await done('POST', '/products', {
    sku: 'R-1',
    name: 'Mug',
    price: 3,
    categories: [{ name: 'A' }],
    inventory: { quantity: 5, low_stock_threshold: 1 },
  })
  await done('PATCH', `/products/${id}`, {
    price: 4,
    categories: [],
    media: [{ url: 'https://example.com/1.png' }],
  })
  await done('POST', `/products/${id}/inventory/adjust`, { delta: 2, reason: 'Delivered' })
  await done('PATCH', `/products/${id}`, { description: 'D', inventory: { low_stock_threshold: 2 } })
  expect(await done('POST', `/products/${id}/revert`, { version: 1 })).toMatchObject({
    version: 4,
    price: 3,
    description: '',
    categories: [{ name: 'A' }],
    media: [],
    inventory: { quantity: 7, low_stock_threshold: 1 },
  })
  expect((await pastOf(id)).changes.at(-1)?.after).toMatchObject({ media: [], inventory: { quantity: 5 } })
})

test('a product that a proposal created is shown as created, and a revert archives it despite later changes', async () => {
  const made = { sku: 'L-1', name: 'Made', status: 'active', attributes: { color: 'red' } }
  const { id } = await done('POST', '/proposals', [made, { sku: 'L-1', status: 'inactive', price: 2 }])
  await done('POST', `/proposals/${id}/apply`)
  const changesOf = async (proposal: number): Promise<object[]> =>
    (await done('GET', `/proposals/${proposal}/lines`)).results.map(
      ({ changes }: { changes: object }) => changes,
    )
  expect(await changesOf(id)).toMatchObject([
    {
      sku: { before: null, after: 'L-1' },
      name: { before: null, after: 'Made' },
      status: { before: null, after: 'active' },
      'attributes.color': { before: null, after: 'red' },
    },
    { status: { before: 'active', after: 'inactive' }, price: { before: null, after: 2 } },
  ])
  const inverse = await done('POST', `/proposals/${id}/revert`)
  await untilPrepared(service, inverse.id)
  expect(await changesOf(inverse.id)).toEqual([
    { status: { before: 'inactive', after: 'active' }, price: { before: 2, after: null } },
    { status: { before: 'active', after: 'archived' } },
  ])
})

test('provenance in the first version is shown and counted', async () => {
  const prompt = await done('POST', '/prompts', { name: 'Describe', prompt_text: 'About {{name}}' })
  const provenance = {
    prompt_id: prompt.id,
    version_number: '1.0.0',
    fields: ['description', 'attributes.color'],
  }
  const { id, updated_at, ...made } = await done('POST', '/products', {
    ...{ sku: 'W-1', name: 'Mug', description: 'D', attributes: { color: 'red' } },
    provenance,
  })
  await done('PATCH', `/products/${id}`, { attributes: { color: 'blue' } })
  const first = await done('GET', `/products/${id}?as_of=${updated_at}`)
  expect([first.provenance, first.attributes]).toEqual([made.provenance, { color: 'red' }])
  const { results } = await done('GET', `/prompts/${prompt.id}/outcomes`)
  expect(results).toMatchObject([{ products: 1, writes: 1, kept_rate: 0.5 }])
})

test('the content of the first version counts toward the size of a page', async () => {
  const description = 'long '.repeat(2000)
  const { id } = await done('POST', '/products', { sku: 'B-1', name: 'Mug', description })
  await done('PATCH', `/products/${id}`, { price: 1 })
  const page = { number: 1, size: 10 }
  const { results, withheld } = await listChanges(service.database, shop.project, id, page, 5_000)
  expect([results, withheld]).toEqual([[], [expect.any(Number), expect.any(Number)]])
  expect(withheld?.[1]).toBeGreaterThan(description.length)
})

test('a first version that an older release recorded is shown as recorded', async () => {
  const { id } = await done('POST', '/products', {
    sku: 'O-1',
    name: 'Mug',
    categories: [{ name: 'New name' }],
  })
  const first = sql`project_id = ${shop.project} and product_id = ${id} and version = 1`
  const [held] = await service.database.query(
    sql<{ after: null }>`select after from product_history where ${first}`,
  )
  expect(held).toEqual({ after: null })
  const recorded = { sku: 'O-1', name: 'Mug', categories: [{ id: 1, name: 'Old name' }] }
  await service.database.query(sql`update product_history set after = ${recorded}::jsonb where ${first}`)
  expect((await pastOf(id)).changes[0]?.after).toEqual(recorded)
})

test('a later version without its changes is rejected', async () => {
  const { id } = await done('POST', '/products', { sku: 'N-1', name: 'Mug' })
  await done('PATCH', `/products/${id}`, { price: 1 })
  const forget = sql`update product_history set after = null where project_id = ${shop.project} and product_id = ${id}`
  await expect(service.database.transaction((tx) => tx.query(forget))).rejects.toThrow(
    'product_history_after',
  )
})
