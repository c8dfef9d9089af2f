import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { sharedTestService, startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { expectExactReferences, expectMatchesRows } from '../../../test/models/structure-model.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import type { ProductDetail } from '../../model/product/product.schema.ts'
import type { CheckContext } from '../../operations/doctor/check.ts'
import { structureCheck } from '../../operations/doctor/check-structure.ts'
import { sql } from '../../platform/database/sql.ts'

/* Variants may name a parent that does not exist yet. Once it does, they are its variants like all others. */

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const parent = { sku: 'SHIRT', name: 'Shirt', product_type: 'configurable', variant_axes: ['color'] }
const variant = (sku: string, color?: string) => ({
  sku,
  name: sku,
  parent: { sku: 'SHIRT' },
  attributes: color === undefined ? {} : { color },
})

type Send = (method: string, path: string, body?: unknown) => ReturnType<Tenant['call']>

/** A project with a plain product, and with variants that wait for SHIRT. */
async function shopWith(
  ...variants: object[]
): Promise<Tenant & { send: Send; id: (sku: string) => Promise<number> }> {
  const shop = await service.tenant()
  const send: Send = (method, path, body) => shop.call(`/v2${path}`, { method, body })
  const { body } = await send('POST', '/products/bulk', [{ sku: 'PLAIN', name: 'Plain' }, ...variants])
  expect(body.summary).toMatchObject({ created: variants.length + 1 })
  const id = async (sku: string) => (await send('GET', `/products/by-sku/${sku}`)).body.id
  return { ...shop, send, id }
}

/** Every way in which a product becomes the parent, with the result in its response. */
type Way = (
  shop: Awaited<ReturnType<typeof shopWith>>,
) => Promise<{ status: number; codes: string[]; text: string }>
const answered = ({ status, body, text }: Awaited<ReturnType<Send>>) => ({
  status,
  codes: [body.code, ...(body.errors ?? []).map(({ code }: { code: string }) => code)],
  text,
})
const resultOf = ({ body }: Awaited<ReturnType<Send>>) => {
  const [line] = body.results
  const codes = line.errors.map(({ code }: { code: string }) => code)
  return { status: line.outcome === 'rejected' ? 409 : 200, codes, text: JSON.stringify(line.errors) }
}
const { sku: _sku, ...renamed } = parent
const ways: Record<string, Way> = {
  create: async ({ send }) => answered(await send('POST', '/products', parent)),
  put: async ({ send }) => answered(await send('PUT', '/products/by-sku/SHIRT', renamed)),
  'a new type': async ({ send, id }) => {
    await send('PATCH', `/products/${await id('PLAIN')}`, { sku: 'SHIRT' })
    const { product_type, variant_axes } = parent
    return answered(await send('PATCH', `/products/${await id('SHIRT')}`, { product_type, variant_axes }))
  },
  'a new SKU': async ({ send, id }) => {
    const { product_type, variant_axes } = parent
    const plain = `/products/${await id('PLAIN')}`
    expect((await send('PATCH', plain, { product_type, variant_axes })).status).toBe(200)
    return answered(await send('PATCH', plain, { sku: 'SHIRT' }))
  },
  push: async ({ send }) => resultOf(await send('POST', '/products/bulk', [parent])),
  'a push that is all or nothing': async ({ send }) =>
    resultOf(await send('POST', '/products/bulk?on_error=abort', [parent])),
  'a dry run, then a push': async ({ send }) => {
    const dry = resultOf(await send('POST', '/products/bulk?dry_run=true', [parent]))
    const written = resultOf(await send('POST', '/products/bulk', [parent]))
    expect(dry).toEqual(written)
    return written
  },
  revert: async ({ send, id }) => {
    const path = `/products/${await id('PLAIN')}`
    const { product_type, variant_axes } = parent
    await send('PATCH', path, { sku: 'SHIRT' })
    await send('PATCH', path, { sku: 'OTHER', product_type, variant_axes })
    return answered(await send('POST', `${path}/revert`, { version: 2, fields: ['sku'] }))
  },
  proposal: async ({ send }) => {
    const { body } = await send('POST', '/proposals', [parent])
    await untilPrepared(service, body.id)
    const applied = await send('POST', `/proposals/${body.id}/apply`, {})
    const { results } = (await send('GET', `/proposals/${body.id}/lines`)).body
    const errors = results[0].errors ?? []
    return {
      status: applied.body.state === 'applied' ? 200 : 409,
      codes: errors.map(({ code }: { code: string }) => code),
      text: JSON.stringify(errors),
    }
  },
}

test.for(Object.entries(ways))(
  'by %s, a parent is bound to the variants that wait for it',
  { tags: 'slow' },
  async ([, way]) => {
    const shop = await shopWith(variant('RED', 'red'), variant('BLUE', 'blue'))
    expect(await way(shop)).toMatchObject({ status: expect.toBeOneOf([200, 201]) })
    const { body } = await shop.send('GET', '/products/by-sku/SHIRT')
    expect(body.variants).toMatchObject({ count: 2, axes: { color: ['blue', 'red'] } })
    const twin = await shop.send('POST', '/products', variant('TWIN', 'red'))
    expect([twin.status, twin.body.existing_id]).toEqual([409, await shop.id('RED')])
    const recolored = await shop.send('PATCH', `/products/${await shop.id('BLUE')}`, {
      attributes: { color: 'red' },
    })
    expect(recolored.body.code).toBe('duplicate_variant')
    expect((await shop.send('GET', `/products/${await shop.id('RED')}`)).body.version).toBe(1)
    await expectMatchesRows(service, shop)
  },
)

/** A rejected write does not change them. */
async function expectStillWaiting(shop: Tenant, ...skus: string[]): Promise<void> {
  await expectExactReferences(service, shop)
  const { results } = (await shop.call('/v2/products?expand=detail')).body
  const details = results as ProductDetail[]
  const versions = details.filter(({ sku }) => skus.includes(sku)).map(({ version }) => version)
  expect(versions).toEqual(skus.map(() => 1))
  expect(details.filter(({ variants }) => (variants?.count ?? 0) > 0)).toEqual([])
}

test.for(Object.entries(ways))(
  'by %s, no product becomes the parent of variants that do not fit, and the response lists them',
  async ([, way]) => {
    const twins = await shopWith(variant('RED', 'red'), variant('TWIN', 'red'))
    const rejected = await way(twins)
    expect(rejected).toMatchObject({ status: 409, codes: expect.arrayContaining(['duplicate_variant']) })
    expect(rejected.text).toMatch(/RED and TWIN|RED.*TWIN/)
    await expectStillWaiting(twins, 'RED', 'TWIN')
    const incomplete = await shopWith(variant('RED', 'red'), variant('BARE'))
    const bare = await way(incomplete)
    expect(bare).toMatchObject({
      status: expect.toBeOneOf([409, 422]),
      codes: expect.arrayContaining(['required']),
    })
    expect(bare.text).toContain('BARE')
    await expectStillWaiting(incomplete, 'RED', 'BARE')
  },
)

test('a proposal that conflicts with variants that were created since is rejected when it is applied', async () => {
  const shop = await shopWith()
  const { body } = await shop.send('POST', '/proposals', [parent])
  await shop.send('POST', '/products/bulk', [variant('RED', 'red'), variant('TWIN', 'red')])
  await shop.send('POST', `/proposals/${body.id}/apply`, {})
  const { results } = (await shop.send('GET', `/proposals/${body.id}/lines`)).body
  expect(results).toMatchObject([{ state: 'rejected', errors: [{ code: 'duplicate_variant' }] }])
  await expectMatchesRows(service, shop)
})

test('a push binds all variants, even if they come before their parent or change with it', async () => {
  const shop = await shopWith(variant('RED', 'red'), variant('BLUE', 'blue'))
  const lines = [variant('GREEN', 'green'), parent, { sku: 'RED', attributes: { color: 'blue' } }]
  const { body } = await shop.send('POST', '/products/bulk', lines)
  expect(body.results).toMatchObject([
    { outcome: 'created' },
    { outcome: 'created' },
    { outcome: 'rejected', errors: [{ code: 'changed_meanwhile' }] },
  ])
  expect((await shop.send('GET', '/products/by-sku/SHIRT')).body.variants.count).toBe(3)
  await expectMatchesRows(service, shop)
})

test('a parent and variants that are created at the same time find each other', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  const colors = ['red', 'red', 'blue', 'green']
  const rounds = 6
  for (let round = 0; round < rounds; round += 1) {
    const sku = `SHIRT-${round}`
    const named = colors.map((color, at) => ({ ...variant(`${round}-${at}`, color), parent: { sku } }))
    const single = (body: object) => shop.call('/v2/products', { method: 'POST', body })
    const pushed = (body: object) => shop.call('/v2/products/bulk', { method: 'POST', body: [body] })
    const made = [{ ...parent, sku }, ...named]
    const answers = await Promise.all(made.map((one, at) => ((at + round) % 2 ? single : pushed)(one)))
    for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
  }
  await expectMatchesRows(service, shop)
})

test('a product cannot become the parent of more variants than the limit', { tags: 'slow' }, async () => {
  const waiting = Array.from({ length: 2_001 }, (_, at) => variant(`V-${at}`, `${at}`))
  const shop = await shopWith(...waiting)
  const rejected = await shop.send('POST', '/products', parent)
  expect(rejected).toMatchObject({ status: 422, body: { errors: [{ pointer: '/sku', code: 'too_many' }] } })
  await shop.send('POST', '/products/bulk', [{ sku: 'V-0', parent: null }])
  expect((await shop.send('POST', '/products', parent)).status).toBe(201)
  const late = await shop.send('POST', '/products', variant('LATE', 'late'))
  expect(late).toMatchObject({ status: 422, body: { errors: [{ code: 'too_many' }] } })
})

test('the doctor binds variants that an older release left without a parent, and lists those that do not fit', {
  tags: 'slow',
}, async () => {
  const own = await startTestService({}, await ownDatabase('unbound'))
  const { database } = own
  const shop = await own.tenant()
  await shop.call('/v2/products/bulk', {
    method: 'POST',
    body: [parent, variant('RED', 'red'), variant('BLUE', 'blue')],
  })
  const unbind = async (sku: string, color: string) => {
    await database.query(sql`
      update product_references set reference_id = null where kind = 'parent' and product_id = (select id from products where sku = ${sku})`)
    await database.query(sql`
      update products set parent = '{"id": null, "sku": "SHIRT"}', attributes = jsonb_build_object('color', ${color}::text) where sku = ${sku}`)
  }
  const check = (repair: boolean) => structureCheck.run({ database, repair } as CheckContext)
  await unbind('RED', 'red')
  expect(await check(false)).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('not linked'),
  })
  expect(await check(true)).toMatchObject({ status: 'ok' })
  await expectMatchesRows(own, shop)
  await unbind('BLUE', 'red')
  expect(await check(true)).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('RED and BLUE'),
  })
})
