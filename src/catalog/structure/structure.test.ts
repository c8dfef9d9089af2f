import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const create = async (body: object) => {
  const { status, body: made } = await send('POST', '/products', { name: 'A product', ...body })
  expect(status, JSON.stringify(made)).toBe(201)
  return made
}
const rejection = async (sent: ReturnType<typeof send>) => {
  const { status, body } = await sent
  return [
    status,
    body.code,
    ...(body.errors ?? []).map((error: LineError) => `${error.pointer} ${error.code}`),
  ]
}
type LineError = { pointer: string; code: string }
const shown = async (id: number, query = '') => (await send('GET', `/products/${id}${query}`)).body
const skus = async (query: string) =>
  (await send('GET', `/products?${query}`)).body.results.map(({ sku }: { sku: string }) => sku)

describe('a variant', () => {
  let shirt: { id: number }
  const variant = (sku: string, color: unknown, size: unknown, more: object = {}) => ({
    sku,
    parent: { sku: 'SHIRT' },
    attributes: { color, size },
    ...more,
  })
  beforeEach(async () => {
    shirt = await create({ sku: 'SHIRT', product_type: 'configurable', variant_axes: ['color', 'size'] })
    await create(variant('RED-M', 'red', 'M', { price: 10, inventory: { quantity: 3, reserved: 1 } }))
    await create(variant('BLUE-M', 'blue', 'M', { price: 12.5, inventory: { quantity: 0 } }))
  })

  test('references its parent, which summarizes its variants', async () => {
    const { parent, variants, variant_axes } = await shown(shirt.id)
    expect({ parent, variants, variant_axes }).toEqual({
      parent: null,
      variant_axes: ['color', 'size'],
      variants: {
        count: 2,
        in_stock: 1,
        axes: { color: ['blue', 'red'], size: ['M'] },
        price: { min: 10, max: 12.5 },
      },
    })
    const [red] = (await send('GET', '/products?sku=RED-M&expand=detail')).body.results
    expect(red).toMatchObject({
      parent: { id: shirt.id, sku: 'SHIRT' },
      variants: null,
      components: [],
      links: {},
    })
    expect(await skus(`parent=${shirt.id}`)).toEqual(['RED-M', 'BLUE-M'])
    expect(await skus('parent__isnull=true')).toEqual(['SHIRT'])
  })

  test('has a unique combination of values among the variants of its parent', async () => {
    const { body } = await send('POST', '/products', { name: 'N', ...variant('RED-M-2', 'red', 'M') })
    const [red] = (await send('GET', '/products?sku=RED-M')).body.results
    expect(body).toMatchObject({ status: 409, code: 'duplicate_variant', existing_id: red.id })
    await create(variant('ONE', 1, 'M'))
    await create(variant('ONE-AS-TEXT', '1', 'M'))
    expect(
      await rejection(send('POST', '/products', { name: 'N', ...variant('X', ['a', 'b'], 'M') })),
    ).toEqual([422, 'invalid_body', '/attributes/color invalid_type'])
    expect(
      await rejection(send('POST', '/products', { name: 'N', ...variant('X', 'x'.repeat(256), 'M') })),
    ).toEqual([422, 'invalid_body', '/attributes/color too_long'])
    expect(
      await rejection(send('POST', '/products', { name: 'N', sku: 'X', parent: { id: shirt.id } })),
    ).toEqual([422, 'invalid_body', '/attributes/color required', '/attributes/size required'])
  })

  test('can swap its values with another variant in one push', async () => {
    await create(variant('ONE', 1, 'M'))
    await create(variant('ONE-AS-TEXT', '1', 'M'))
    await create(variant('KEEPS', 'kept', 'M'))
    const { body } = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: [
        { sku: 'RED-M', attributes: { color: 'blue' } },
        { sku: 'BLUE-M', attributes: { color: 'red' } },
        { sku: 'ONE', attributes: { color: 'blue' } },
        { sku: 'ONE-AS-TEXT', attributes: { color: 'kept' } },
        { sku: 'KEEPS', price: 3, attributes: { color: 'kept' } },
        { sku: 'TWIN', name: 'Twin', parent: { sku: 'SHIRT' }, attributes: { color: 'new', size: 'M' } },
        { sku: 'TWIN-2', name: 'Twin', parent: { sku: 'SHIRT' }, attributes: { color: 'new', size: 'M' } },
      ],
    })
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'updated',
      'updated',
      'rejected',
      'rejected',
      'updated',
      'created',
      'rejected',
    ])
    expect(body.results[2].errors).toMatchObject([{ code: 'duplicate_variant' }])
  })
})

describe('a parent', () => {
  const lamp = (sku: string, more: object = {}) =>
    create({ sku, product_type: 'configurable', variant_axes: ['watt'], ...more })
  const bulb = (sku: string, parent: object, attributes: object, more: object = {}) =>
    create({ sku, parent, attributes, ...more })

  test('is configurable, and its variants are simple or virtual', async () => {
    await create({ sku: 'PLAIN' })
    expect(
      await rejection(send('POST', '/products', { name: 'N', sku: 'X', parent: { sku: 'PLAIN' } })),
    ).toEqual([422, 'invalid_body', '/parent wrong_type'])
    await lamp('L-0')
    expect(
      await rejection(
        send('POST', '/products', { name: 'N', sku: 'X', product_type: 'bundle', parent: { sku: 'L-0' } }),
      ),
    ).toEqual([422, 'invalid_body', '/parent wrong_type'])
    expect(
      await rejection(send('POST', '/products', { name: 'N', sku: 'X', variant_axes: ['watt'] })),
    ).toEqual([422, 'invalid_body', '/variant_axes wrong_type'])
  })

  test('keeps its type while it has variants, and can change it without them', async () => {
    const { id } = await lamp('L-1')
    const variant = await bulb('B-1', { id }, { watt: 5 })
    expect(await rejection(send('PATCH', `/products/${id}`, { product_type: 'simple' }))).toEqual([
      409,
      'has_children',
    ])
    expect(await rejection(send('PATCH', `/products/${variant.id}`, { product_type: 'bundle' }))).toEqual([
      422,
      'invalid_body',
      '/parent wrong_type',
    ])
    await send('PATCH', `/products/${variant.id}`, { parent: null })
    const { body } = await send('PATCH', `/products/${id}`, { product_type: 'simple' })
    expect(body).toMatchObject({ product_type: 'simple', variant_axes: [], variants: null })
  })

  test('keeps its type while older variants or bundles reference it', async () => {
    await create({ sku: 'EARLY-BULB', parent: { sku: 'LATE-LAMP' }, attributes: { watt: 1 } })
    await create({ sku: 'EARLY-KIT', product_type: 'bundle', components: [{ sku: 'LATE-PART' }] })
    const late = await lamp('LATE-LAMP')
    const part = await create({ sku: 'LATE-PART' })
    for (const [{ id }, product_type] of [
      [late, 'simple'],
      [part, 'configurable'],
    ])
      expect(await rejection(send('PATCH', `/products/${id}`, { product_type }))).toEqual([
        409,
        'has_children',
      ])
  })

  test('can change its axes if every variant has values and no two are the same', async () => {
    const { id } = await lamp('L-2', { variant_axes: [] })
    await bulb('B-2', { id }, { watt: 5, socket: 'E27' })
    await bulb('B-3', { id }, { watt: 5, socket: 'E14', color: 'warm' })
    const change = (variant_axes: string[]) => send('PATCH', `/products/${id}`, { variant_axes })
    expect(await rejection(change(['watt']))).toEqual([409, 'duplicate_variant'])
    expect(await rejection(change(['color']))).toEqual([422, 'invalid_body', '/variant_axes required'])
    expect((await change(['watt', 'socket'])).status).toBe(200)
    expect(
      await rejection(
        send('POST', '/products', {
          name: 'N',
          sku: 'B-4',
          parent: { id },
          attributes: { watt: 5, socket: 'E14' },
        }),
      ),
    ).toEqual([409, 'duplicate_variant'])
    const { body } = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: [
        { sku: 'L-2', variant_axes: ['watt'] },
        { sku: 'L-2', price: 7 },
      ],
    })
    expect(body.results).toMatchObject([
      { outcome: 'rejected', errors: [{ code: 'duplicate_variant' }] },
      { outcome: 'updated' },
    ])
  })

  test('has the total stock of its variants, none if all are archived, and its own stock without variants', async () => {
    const { id } = await lamp('L-3', { inventory: { quantity: 7 } })
    const stock = async () => (await shown(id)).inventory
    const variant = await bulb('B-5', { id }, { watt: 1 }, { inventory: { quantity: 2, reserved: 1 } })
    await bulb('B-6', { id }, { watt: 2 }, { inventory: { quantity: 3 } })
    await bulb('B-7', { id }, { watt: 3 }, { inventory: { quantity: 9 }, status: 'archived' })
    expect(await stock()).toMatchObject({
      quantity: 5,
      reserved: 1,
      available: 4,
      in_stock: true,
      computed: true,
    })
    const adjust = () => send('POST', `/products/${id}/inventory/adjust`, { delta: 1, reason: 'Delivery' })
    expect(await rejection(adjust())).toEqual([409, 'stock_is_computed'])
    expect(await rejection(send('PATCH', `/products/${id}`, { inventory: { quantity: 1 } }))).toEqual([
      409,
      'stock_is_computed',
    ])
    const { body } = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: [
        { sku: 'L-3', inventory: { quantity: 1 } },
        { sku: 'L-3', inventory: { quantity: 7 } },
      ],
    })
    expect(body.results).toMatchObject([
      { outcome: 'rejected', errors: [{ code: 'stock_is_computed' }] },
      { outcome: 'unchanged' },
    ])
    await send('POST', '/products/bulk', [
      { sku: 'B-5', inventory: { quantity: 1 } },
      { sku: 'B-6', inventory: { quantity: 0 } },
    ])
    expect(await stock()).toMatchObject({ quantity: 1, available: 0, in_stock: false })
    expect(await skus('in_stock=false&sku__in=L-3,B-5,B-6,B-7')).toEqual(['L-3', 'B-5', 'B-6'])
    await send('PATCH', `/products/${variant.id}`, { status: 'archived' })
    await send('POST', '/products/bulk', [{ sku: 'B-6', status: 'archived' }])
    const nothing = { tracked: true, quantity: 0, available: 0, in_stock: false, computed: true }
    expect(await shown(id)).toMatchObject({ variants: { count: 0, axes: {} }, inventory: nothing })
    expect(await skus('in_stock=true&sku__in=L-3')).toEqual([])
    expect(await rejection(adjust())).toEqual([409, 'stock_is_computed'])
    for (const sku of ['B-5', 'B-6', 'B-7']) await send('PUT', `/products/by-sku/${sku}`, { name: 'Left' })
    const own = await stock()
    expect(own).toMatchObject({ quantity: 7, in_stock: true })
    expect(own).not.toHaveProperty('computed')
    expect((await adjust()).status).toBe(200)
  })

  test('provides the values that a variant does not have, now and with as_of', async () => {
    const { id } = await lamp('L-4', {
      description: 'A lamp.',
      price: 9,
      attributes: { watt: 0, material: 'brass' },
      categories: [{ name: 'Lamps' }],
    })
    const { id: variant } = await bulb('B-8', { id }, { watt: 5 }, { price: 3 })
    const time = new Date().toISOString()
    await send('PATCH', `/products/${id}`, { description: 'Another lamp.' })
    const filled = await shown(variant, '?resolve=parent')
    expect(filled).toMatchObject({
      description: 'Another lamp.',
      price: 3,
      attributes: { watt: 5, material: 'brass' },
      categories: [{ name: 'Lamps' }],
      inherited: ['description', 'categories', 'attributes.material'],
    })
    expect(await shown(variant, `?resolve=parent&as_of=${time}`)).toMatchObject({ description: 'A lamp.' })
    expect((await send('GET', '/products/by-sku/B-8?resolve=parent')).body).toEqual(filled)
    expect(await shown(variant)).not.toHaveProperty('inherited')
    expect((await shown(id, '?resolve=parent')).inherited).toEqual([])
  })
})

describe('a bundle or a group', () => {
  beforeEach(async () => {
    await create({ sku: 'CAM', inventory: { quantity: 10, reserved: 1 } })
    await create({ sku: 'L35', inventory: { quantity: 2 } })
    await create({ sku: 'L50', inventory: { quantity: 1 } })
    await create({ sku: 'STRAP' })
  })
  const lenses = [
    { sku: 'L35', choice: 'Lens' },
    { sku: 'L50', choice: 'Lens', default: true },
  ]

  test('is limited by its scarcest component', async () => {
    const kit = await create({
      sku: 'KIT',
      product_type: 'bundle',
      components: [{ sku: 'CAM', quantity: 2 }, ...lenses, { sku: 'STRAP' }],
    })
    expect(kit.components).toMatchObject([
      { sku: 'CAM', quantity: 2 },
      { sku: 'L35', quantity: 1, choice: 'Lens' },
      { sku: 'L50', quantity: 1, choice: 'Lens', default: true },
      { sku: 'STRAP', quantity: 1 },
    ])
    const { components, inventory } = await shown(kit.id)
    expect(inventory).toMatchObject({ quantity: 3, available: 3, in_stock: true, limited_by: { sku: 'L35' } })
    await send('POST', `/products/${components[0].id}/inventory/adjust`, { delta: -8, reason: 'Sold' })
    const { inventory: sold } = await shown(kit.id)
    expect(sold).toMatchObject({ quantity: 0, in_stock: false, limited_by: { sku: 'CAM' } })
    expect(await skus(`component=${components[0].id}`)).toEqual(['KIT'])
    expect(await skus('in_stock=false')).toEqual(['KIT'])
    expect(
      await rejection(send('PATCH', `/products/${components[0].id}`, { product_type: 'bundle' })),
    ).toEqual([409, 'has_children'])
    expect(await rejection(send('PATCH', `/products/${kit.id}`, { product_type: 'simple' }))).toEqual([
      409,
      'has_children',
    ])
  })

  test('has no stock while a component is missing, and is not counted if nothing limits it', async () => {
    const wait = await create({ sku: 'WAITS', product_type: 'bundle', components: [{ sku: 'NOT-YET' }] })
    expect(wait.inventory).toMatchObject({ in_stock: false, limited_by: { id: null, sku: 'NOT-YET' } })
    const free = await create({ sku: 'FREE', product_type: 'bundle', components: [{ sku: 'STRAP' }] })
    expect(free.inventory).toMatchObject({ tracked: false, in_stock: true, limited_by: null })
  })

  test('is in stock if one of its members is', async () => {
    const made = await create({
      sku: 'SET',
      product_type: 'grouped',
      components: [{ sku: 'L35' }, { sku: 'NOBODY' }],
    })
    expect(made.inventory).toMatchObject({ quantity: 2, in_stock: true, computed: true })
    expect(await skus('in_stock=true&product_type=grouped')).toEqual(['SET'])
  })

  test('consists of simple or virtual products without duplicates, with one default per choice', async () => {
    await create({ sku: 'KIT', product_type: 'bundle', components: [{ sku: 'CAM' }] })
    const errorsOf = (components: object[], product_type = 'bundle') =>
      rejection(send('POST', '/products', { name: 'N', sku: 'X', product_type, components }))
    expect(await errorsOf([{ sku: 'CAM' }], 'simple')).toContain('/components wrong_type')
    expect(await errorsOf([{ sku: 'KIT' }])).toContain('/components/0 wrong_type')
    expect(await errorsOf([{ sku: 'CAM' }, { sku: 'CAM' }])).toContain('/components/1 duplicate')
    expect(await errorsOf([{ sku: 'CAM', default: true }])).toContain('/components/0/default invalid_default')
    expect(await errorsOf(lenses.map((lens) => ({ ...lens, default: true })))).toContain(
      '/components/1/default invalid_default',
    )
    expect(await errorsOf([{}])).toContain('/components/0 required')
    expect(await errorsOf([{ sku: 'X' }])).toContain('/components/0 self_reference')
  })
})

describe('a reference', () => {
  test('to an unknown SKU is bound once a product has it, and can be found until then', async () => {
    const early = await create({
      sku: 'EARLY',
      parent: { sku: 'LATE' },
      links: { related: [{ sku: 'LATE' }, { sku: 'NEVER' }], upsell: [] },
    })
    expect(early).toMatchObject({
      parent: { id: null, sku: 'LATE' },
      links: {
        related: [
          { id: null, sku: 'LATE' },
          { id: null, sku: 'NEVER' },
        ],
      },
    })
    expect(await skus('unbound=true')).toEqual(['EARLY'])
    const late = await create({ sku: 'LATE', product_type: 'configurable' })
    expect(late.variants.count).toBe(1)
    const { parent, links } = await shown(early.id)
    expect([parent, links.related[0]]).toEqual([
      { id: late.id, sku: 'LATE' },
      { id: late.id, sku: 'LATE' },
    ])
    expect(await skus(`parent=${late.id}`)).toEqual(['EARLY'])
    expect(await skus(`linked_to=${late.id}`)).toEqual(['EARLY'])
    await send('PATCH', `/products/${early.id}`, { links: { related: null } })
    expect(await skus('unbound=true')).toEqual([])
    expect(await skus('unbound=false')).toEqual(['EARLY', 'LATE'])
  })

  test('to an unknown SKU is rejected in strict mode by every kind of write', async () => {
    const body = { sku: 'STRICT', name: 'N', links: { related: [{ sku: 'GHOST' }] } }
    const strict = '?references=strict'
    const expected = [422, 'invalid_body', '/links/related/0/sku unknown_sku']
    const { id } = await create({ sku: 'HELD' })
    expect(await rejection(send('POST', `/products${strict}`, body))).toEqual(expected)
    expect(await rejection(send('PUT', `/products/by-sku/STRICT${strict}`, body))).toEqual(expected)
    expect(await rejection(send('PATCH', `/products/${id}${strict}`, { links: body.links }))).toEqual(
      expected,
    )
    expect(await rejection(send('PUT', `/products/${id}${strict}`, { ...body, sku: 'HELD' }))).toEqual(
      expected,
    )
    const { body: pushed } = await send('POST', `/products/bulk${strict}`, [body])
    expect(pushed.results[0].errors).toMatchObject([{ pointer: '/links/related/0/sku', code: 'unknown_sku' }])
    expect(await rejection(send('POST', '/products', { ...body, parent: { id: 987654321 } }))).toContain(
      '/parent/id unknown_product',
    )
  })

  test('to the product itself is rejected, also by its new SKU', async () => {
    const { id } = await create({ sku: 'MYSELF' })
    const body = { sku: 'RENAMED', links: { related: [{ sku: 'RENAMED' }] } }
    const rejected = [422, 'invalid_body', '/links/related/0 self_reference']
    expect(await rejection(send('PATCH', `/products/${id}`, body))).toEqual(rejected)
    expect(await rejection(send('PUT', `/products/${id}`, { name: 'N', ...body }))).toEqual(rejected)
  })

  test('follows a new SKU, and stays as written in history and as_of', async () => {
    const target = await create({ sku: 'OLD-SKU' })
    const { id } = await create({ sku: 'NAMES', links: { cross_sell: [{ id: target.id }] } })
    const time = new Date().toISOString()
    await send('PATCH', `/products/${target.id}`, { sku: 'NEW-SKU' })
    expect((await shown(id)).links).toEqual({ cross_sell: [{ id: target.id, sku: 'NEW-SKU' }] })
    const { body } = await send('PATCH', `/products/${id}`, { links: { cross_sell: [{ sku: 'NEW-SKU' }] } })
    expect(body.version).toBe(1)
    await create({ sku: 'OTHER' })
    await send('PATCH', `/products/${id}`, { links: { upsell: [{ sku: 'OTHER' }] } })
    const [change] = (await send('GET', `/products/${id}/history`)).body.results
    expect(change.after.links).toMatchObject({ upsell: [{ sku: 'OTHER' }] })
    expect((await shown(id, `?as_of=${time}`)).links).toEqual({
      cross_sell: [{ id: target.id, sku: 'OLD-SKU' }],
    })
  })
})

test('a dry run sees the products that the same push would create', async () => {
  const lines = [
    { sku: 'P', name: 'P', product_type: 'configurable', variant_axes: ['size'] },
    { sku: 'V-1', name: 'V', parent: { sku: 'P' }, attributes: { size: 1 } },
    { sku: 'V-2', name: 'V', parent: { sku: 'P' }, attributes: { size: 1 } },
    { sku: 'V-3', name: 'V', parent: { sku: 'P' } },
  ]
  const push = async (query: string) =>
    (await send('POST', `/products/bulk?${query}`, lines)).body.results.map(
      ({ outcome }: { outcome: string }) => outcome,
    )
  const expected = ['created', 'created', 'rejected', 'rejected']
  expect(await push('dry_run=true')).toEqual(expected)
  expect(await push('on_error=abort')).toEqual(expected)
  expect(await push('')).toEqual(expected)
})
