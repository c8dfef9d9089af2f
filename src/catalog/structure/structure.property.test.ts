import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { scaled } from '../../../test/faults/scale.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { expectExactReferences, expectMatchesRows } from '../../../test/models/structure-model.ts'
import { linkKinds } from '../../model/structure/link-kinds.ts'
import type { CheckContext } from '../../operations/doctor/check.ts'
import { structureCheck } from '../../operations/doctor/check-structure.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('structure'))
}, 60_000)

/* Few SKUs, each mostly of one kind, so that what the clients do collides: parents, what is sold by itself, and what is composed. */
const any = fc.nat(7)
const among = (...skus: number[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...skus) }, { weight: 1, arbitrary: any })
const reference = (target: fc.Arbitrary<number>) => fc.record({ target, byId: fc.boolean() })
const color = fc.constantFrom<string | number>('red', 'blue', 1, '1')
const inventory = fc.record(
  { quantity: fc.nat(4), reserved: fc.nat(2), tracked: fc.boolean(), backorders: fc.boolean() },
  { requiredKeys: [] },
)
const attributes = fc.record({ color, size: fc.constantFrom('S', 'M') }, { requiredKeys: ['color'] })
const variant_axes = fc.constantFrom([], ['color'], ['size'], ['color', 'size'])
const components = fc.array(
  fc.record(
    {
      named: reference(among(2, 3, 4)),
      quantity: fc.integer({ min: 1, max: 3 }),
      choice: fc.constant('Lens'),
    },
    { requiredKeys: ['named', 'quantity'] },
  ),
  { maxLength: 3 },
)
const links = fc.dictionary(fc.constantFrom(...linkKinds), fc.array(reference(any), { maxLength: 2 }))
const status = fc.constantFrom('active' as const, 'archived' as const)
const parent = fc.option(reference(among(0, 1)), { freq: 6 })
const price = fc.nat(3)

const content = fc.oneof(
  fc.record({ sku: among(0, 1), product_type: fc.constant('configurable'), variant_axes }),
  fc.record(
    { sku: among(2, 3, 4), product_type: fc.constant('simple'), parent, attributes, inventory, price },
    { requiredKeys: ['sku', 'parent', 'attributes'] },
  ),
  fc.record({ sku: among(5, 6), product_type: fc.constantFrom('bundle', 'grouped'), components }),
  fc.record({ sku: any, links }),
  fc.record(
    { sku: any, product_type: fc.constantFrom('simple', 'configurable', 'bundle'), parent, variant_axes },
    { requiredKeys: ['sku'] },
  ),
  fc.record({ sku: any, attributes, status, inventory }, { requiredKeys: ['sku'] }),
)
type Named = { target: number; byId: boolean }
type Given = {
  sku: number
  parent?: Named | null
  components?: { named: Named; quantity: number; choice?: string }[]
  links?: Record<string, Named[]>
}

const onOne = <Act extends string>(weight: number, act: Act) => ({
  weight,
  arbitrary: fc.record({ act: fc.constant(act), content, flag: fc.boolean() }),
})
const step = fc.oneof(
  onOne(4, 'create'),
  onOne(4, 'patch'),
  onOne(3, 'put'),
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('push' as const),
      flag: fc.boolean(),
      lines: fc.array(content, { minLength: 1, maxLength: 6 }),
    }),
  },
  onOne(2, 'adjust'),
  onOne(1, 'rename'),
  onOne(1, 'erase'),
  onOne(1, 'look'),
  onOne(1, 'cut connections'),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Ids = Map<string, number>
async function idsOf(shop: Tenant): Promise<Ids> {
  const rows = await service.database.query(
    sql<{ id: number; sku: string }>`select id, sku from products where project_id = ${shop.project}`,
  )
  return new Map(rows.map(({ id, sku }) => [sku, id]))
}

const skuOf = (number: number) => `S-${number}`

function bodyOf(given: Given, ids: Ids): Record<string, unknown> & { sku: string } {
  const named = ({ target, byId }: Named) => {
    const id = ids.get(skuOf(target))
    return byId && id !== undefined ? { id } : { sku: skuOf(target) }
  }
  const { sku, parent, components, links, ...rest } = given
  return {
    ...rest,
    sku: skuOf(sku),
    ...(parent !== undefined && { parent: parent && named(parent) }),
    ...(components && {
      components: components.map(({ named: other, ...part }) => ({ ...named(other), ...part })),
    }),
    ...(links && {
      links: Object.fromEntries(Object.entries(links).map(([kind, list]) => [kind, list.map(named)])),
    }),
  }
}

/** Products that the first steps can conflict with. */
async function begin(shop: Tenant): Promise<void> {
  const configurable = { product_type: 'configurable', variant_axes: ['color'] }
  const variant = (color: string) => ({ parent: { sku: 'S-0' }, attributes: { color, size: 'M' } })
  const parts = { components: [{ sku: 'S-3' }, { sku: 'S-4' }] }
  const products = [configurable, configurable, variant('red'), variant('blue'), {}]
  const composed = ['bundle', 'grouped'].map((product_type) => ({ product_type, ...parts }))
  const body = [...products, ...composed].map((product, at) => ({
    sku: skuOf(at),
    name: 'There',
    ...product,
  }))
  const { body: response } = await shop.call('/v2/products/bulk', { method: 'POST', body })
  expect(response.summary.created).toBe(7)
}

async function take(shop: Tenant, step: Step, isCut: boolean): Promise<void> {
  const write = async (method: string, address: string, body: unknown, headers = {}) => {
    const { status, text } = await shop.call(`/v2${address}`, { method, body, headers })
    // A broken connection returns 503. No other server error is allowed.
    const description = `${method} ${address} ${JSON.stringify(body)}: ${text}`
    expect(status < 500 || (isCut && status === 503), description).toBe(true)
  }
  const { act, flag } = step
  if (act === 'cut connections' && !isCut) return
  if (act === 'look') return expectExactReferences(service, shop)
  const ids = await idsOf(shop)
  if (act === 'push') {
    const lines = step.lines.map((line) => ({ name: 'Pushed', ...bodyOf(line, ids) }))
    return write('POST', `/products/bulk${flag ? '?on_error=abort' : ''}`, lines)
  }
  if (act === 'cut connections')
    return void (await service.database.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    ))
  const { sku, ...body } = bodyOf(step.content, ids)
  if (act === 'create') {
    const headers = flag ? { 'idempotency-key': crypto.randomUUID() } : {}
    return write('POST', '/products', { name: 'Made', sku, ...body }, headers)
  }
  if (act === 'put') return write('PUT', `/products/by-sku/${sku}`, { name: 'Put', ...body })
  const id = ids.get(sku)
  if (id === undefined) return
  if (act === 'patch') return write('PATCH', `/products/${id}`, body)
  if (act === 'rename') return write('PATCH', `/products/${id}`, { sku: flag ? 'S-9' : 'S-3' })
  if (act === 'adjust')
    return write('POST', `/products/${id}/inventory/adjust`, { delta: flag ? 2 : -1, reason: 'Test' })
  await write('PATCH', `/products/${id}`, { status: 'archived' })
  await eraseProduct(service.database, { name: 'tester' }, shop.project, id).catch((error) => {
    if (!/archive it first|has no product/.test(error.message)) throw error
  })
}

/** The service notices broken connections one by one, and returns 503 for each. */
async function untilCalm(shop: Tenant): Promise<void> {
  for (let calm = 0; calm < 20; calm += 1) {
    const [{ status }] = await Promise.all([
      shop.call('/v2/products'),
      service.database.query(sql`select 1`).catch(() => {}),
    ])
    if (status === 503) calm = 0
  }
}

test('values that are computed from other products stay exact under concurrent writes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 3, maxLength: 10 }), { minLength: 3, maxLength: 6 }),
      fc.nat(3).map((number) => number === 3),
      async (clients, isCut) => {
        const shop = await service.tenant()
        await begin(shop)
        await Promise.all(
          clients.map(async (steps) => {
            for (const step of steps)
              await take(shop, step, isCut).catch((error) => {
                if (!isCut || error.name === 'AssertionError') throw error
              })
          }),
        )
        if (isCut) await untilCalm(shop)
        await expectMatchesRows(service, shop)
      },
    ),
    { numRuns: scaled(2, 50), endOnFailure: true },
  )
}, 120_000)

test('the doctor compares stored references with the products, and repairs them on request', async () => {
  const shop = await service.tenant()
  await begin(shop)
  const [ids, { database }] = [await idsOf(shop), service]
  const structure = (repair = false) => structureCheck.run({ database, repair } as CheckContext)
  const own = sql`product_references where project_id = ${shop.project}`
  const wrongly = [
    sql`update product_references set axis_hash = null where project_id = ${shop.project} and kind = 'parent'`,
    sql`update product_references set reference_id = null where project_id = ${shop.project} and kind = 'component'`,
    sql`insert into product_references select * from ${own} and product_id = ${ids.get('S-5')} limit 1`,
    sql`delete from ${own} and product_id = ${ids.get('S-2')}`,
  ]
  for (const statement of wrongly) {
    await database.transaction((tx) => tx.query(statement))
    expect(await structure()).toMatchObject({
      status: 'failure',
      detail: expect.stringContaining('do not match'),
    })
    expect(await structure(true)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('fixed'),
    })
    await expectExactReferences(service, shop)
  }
  expect(await structure()).toMatchObject({ status: 'ok', detail: expect.stringContaining('consistent') })
  await database.transaction(async (tx) => {
    await tx.query(sql`update product_references set axis_hash = null where project_id = ${shop.project}`)
    await tx.query(
      sql`update products set attributes = '{"color": "red"}' where project_id = ${shop.project}`,
    )
  })
  const alike = `another variant of the same parent has the same values as product ${ids.get('S-3')}`
  expect(await structure(true)).toMatchObject({ status: 'failure', detail: alike })
  await database.transaction((tx) =>
    tx.query(sql`update products set product_type = 'simple' where project_id = ${shop.project}`),
  )
  const misplaced = `the parent of products ${ids.get('S-2')}, ${ids.get('S-3')} is not configurable`
  expect(await structure()).toMatchObject({ status: 'failure', detail: misplaced })
})
