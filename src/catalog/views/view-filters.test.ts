import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import type { CheckContext } from '../../operations/doctor/check.ts'
import { viewsCheck } from '../../operations/doctor/check-views.ts'
import { sql } from '../../platform/database/sql.ts'
import { scoreProject } from '../quality/apply-rulesets.ts'
import { findMarking } from '../rulesets/marking.sql.ts'
import { openRulesets } from '../rulesets/rulesets.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const send = (own: Tenant, method: string, path: string, body?: unknown) =>
  own.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const define = (own: Tenant, code: string, body: object) => send(own, 'PUT', `/views/${code}`, body)
const listed = async (own: Tenant, query: string) => {
  const { status, text, body } = await send(own, 'GET', `/products?${query}`)
  expect(status, text).toBe(200)
  return body.results.map(({ sku }: { sku: string }) => sku)
}

/** Does the work of the background job, which waits until no request can use the former views. */
async function settle({ project }: Tenant): Promise<void> {
  const turn = { signal: new AbortController().signal, milliseconds: 60_000 }
  const pauses = { settleSeconds: 0, retrySeconds: 0, lateSeconds: 0 }
  const walk = async () => {
    await service.database.query(sql`update scoring_jobs set due_at = now() where project_id = ${project}`)
    await scoreProject(service.database, openRulesets(service.database), project, turn, pauses)
    return findMarking(service.database, project)
  }
  await expect.poll(walk, { timeout: 60_000 }).toBeUndefined()
}

async function shopWithViews(...others: object[]): Promise<Tenant> {
  const own = await service.tenant()
  await send(own, 'POST', '/products/bulk', [
    { sku: 'A', name: 'Mug', description: 'For tea', status: 'active', price: 5 },
    { sku: 'B', name: 'Cup', status: 'active' },
    { sku: 'C', name: 'Jug', status: 'archived' },
    ...others,
  ])
  await define(own, 'de', { label: 'German', requires: ['name', 'attributes.a.b', 'price'] })
  await define(own, 'at', { label: 'Austria', falls_back_to: ['de'], requires: ['name'] })
  await define(own, 'us', { label: 'US', currency: 'USD', requires: ['price'] })
  return own
}

test('simple and virtual products need a price in a view, others only if they have one in the base', async () => {
  const own = await shopWithViews(
    ...['configurable', 'bundle', 'grouped', 'virtual'].map((product_type) => ({
      ...{ sku: product_type, name: product_type, product_type },
    })),
  )
  await send(own, 'POST', '/products', { sku: 'set', name: 'Set', product_type: 'bundle', price: 9 })
  await settle(own)
  expect(await listed(own, 'missing_in=us.price')).toEqual(['A', 'B', 'C', 'virtual', 'set'])
  expect(await listed(own, 'missing_in=us&product_type=bundle')).toEqual(['set'])
  expect((await send(own, 'GET', '/views/us/progress')).body).toMatchObject({ products: 8, complete: 3 })
})

test('filters by view wait until all products are marked, and then find them', async () => {
  const own = await shopWithViews()
  const early = await send(own, 'GET', '/products?missing_in=de')
  expect([early.status, early.body.code, early.body.marked?.total]).toEqual([409, 'view_marking', 3])
  for (const path of [
    '/products?view=at&status=active',
    '/products/export?stale_in=de',
    '/views/de/progress',
  ])
    expect((await send(own, 'GET', path)).status, path).toBe(409)
  await settle(own)
  const write = await send(own, 'POST', '/products/bulk', [
    { sku: 'A', views: { de: { name: 'Tasse', attributes: { 'a.b': 'x' } }, at: { status: 'pending' } } },
    { sku: 'B', views: { de: { price: 3 }, us: { price: 4 } } },
  ])
  expect(write.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'updated',
    'updated',
  ])
  const cases: [string, string[]][] = [
    ['missing_in=de', ['B', 'C']],
    ['missing_in=de.name', ['B', 'C']],
    ['missing_in=de.attributes.a.b', ['B', 'C']],
    ['missing_in=de.price', ['C']],
    ['missing_in=at', ['B', 'C']],
    ['missing_in=us', ['A', 'C']],
    ['differs_in=de', ['A', 'B']],
    ['differs_in=at&missing_in=us', ['A']],
    ['differs_in=us&status=active', ['B']],
    ['stale_in=de', []],
    ['view=at&status=active', ['B']],
    ['view=at&status=pending', ['A']],
    ['view=at&status__in=pending,archived', ['A', 'C']],
    ['view=at&status=pending&status__in=active', []],
    ['view=de&status=active&missing_in=de', ['B']],
    ['view=us&status=active', ['A', 'B']],
  ]
  for (const [query, skus] of cases) expect(await listed(own, query), query).toEqual(skus)
  const { body: facets } = await send(own, 'GET', '/products/facets?facets=x&differs_in=de')
  expect(facets).toBeDefined()
  expect((await send(own, 'GET', '/products/export?differs_in=us')).text).toContain('"sku":"B"')
  const { body: progress } = await send(own, 'GET', '/views/de/progress')
  expect(progress).toEqual({
    ...{ code: 'de', products: 3, complete: 1, stale: 0 },
    missing: [
      { field: 'name', products: 2 },
      { field: 'attributes.a.b', products: 2 },
      { field: 'price', products: 1 },
    ],
  })
})

test('filters by view reject views that do not exist, and fields that a view does not require', async () => {
  const own = await shopWithViews()
  const cases: [string, string, string][] = [
    ['missing_in=fr', 'missing_in', 'unknown_view'],
    ['missing_in=fr.name', 'missing_in', 'unknown_view'],
    ['missing_in=de.description', 'missing_in', 'not_required'],
    ['stale_in=fr', 'stale_in', 'unknown_view'],
    ['differs_in=fr', 'differs_in', 'unknown_view'],
    ['stale_in=de.name', 'stale_in', 'unknown_view'],
  ]
  for (const [query, parameter, code] of cases) {
    const { status, body } = await send(own, 'GET', `/products?${query}`)
    expect([status, body.errors?.[0]], query).toMatchObject([400, { parameter, code }])
  }
  const edits = [{ field: 'status', op: 'set', value: 'active' }]
  const proposal = await send(own, 'POST', '/proposals/from-filter', { filter: 'missing_in=fr', edits })
  expect([proposal.status, proposal.body.errors?.[0]?.code]).toEqual([422, 'unknown_view'])
  expect((await send(own, 'GET', '/views/fr/progress')).status).toBe(404)
})

test('a write to the base marks its translations at once, and a changed view is never read from stored responses', async () => {
  const own = await shopWithViews()
  await send(own, 'POST', '/products/bulk', [{ sku: 'A', views: { de: { name: 'Tasse' } } }])
  await settle(own)
  expect(await listed(own, 'stale_in=de')).toEqual([])
  await send(own, 'POST', '/products/bulk', [{ sku: 'A', name: 'Beaker' }])
  expect(await listed(own, 'stale_in=de')).toEqual(['A'])
  expect(await listed(own, 'stale_in=at'), 'only texts of the view itself').toEqual([])
  await send(own, 'POST', '/products/bulk', [{ sku: 'A', name: 'Mug' }])
  expect(await listed(own, 'stale_in=de')).toEqual([])
  expect(await listed(own, 'missing_in=at')).toEqual(['B', 'C'])
  await define(own, 'at', { label: 'Austria (new)', falls_back_to: ['de'], requires: ['name'] })
  expect(await listed(own, 'missing_in=at'), 'a label has no marks').toEqual(['B', 'C'])
  await define(own, 'at', { label: 'Austria', requires: ['name'] })
  expect((await send(own, 'GET', '/products?missing_in=at')).body.code).toBe('view_marking')
  await settle(own)
  expect(await listed(own, 'missing_in=at')).toEqual(['A', 'B', 'C'])
})

test('the doctor finds and fixes marks that do not match the products', { tags: 'slow' }, async () => {
  const own = await shopWithViews()
  await settle(own)
  const check = async (repair: boolean) =>
    viewsCheck.run({ database: service.database, repair } as unknown as CheckContext)
  await service.database.query(
    sql`update products set view_marks = '{missing:us}' where project_id = ${own.project}`,
  )
  expect((await check(false)).status).toBe('failure')
  expect(await check(true)).toMatchObject({ status: 'ok', detail: expect.stringContaining('fixed') })
  expect((await check(false)).status).toBe('ok')
  expect(await listed(own, 'missing_in=de.name')).toEqual(['A', 'B', 'C'])
})

test('a deleted view can take its values with it, with a version and a history entry of each product', async () => {
  const own = await shopWithViews()
  await send(own, 'POST', '/products/bulk', [
    { sku: 'A', views: { de: { name: 'Tasse', price: 3 }, us: { price: 4 } } },
    { sku: 'B', views: { de: { name: 'Becher' } } },
  ])
  expect((await send(own, 'DELETE', '/views/de?erase=true')).body.code, 'at falls back to it').toBe(
    'view_in_use',
  )
  await define(own, 'at', { label: 'Austria' })
  expect((await send(own, 'DELETE', '/views/de')).body.code).toBe('view_in_use')
  expect((await send(own, 'DELETE', '/views/de?erase=true')).status).toBe(204)
  const { body: page } = await send(own, 'GET', '/products?expand=detail')
  expect(page.results.map(({ version }: { version: number }) => version)).toEqual([3, 3, 1])
  const [first] = page.results
  expect((await send(own, 'GET', `/products/${first.id}?expand=views`)).body.views).toEqual({
    us: { price: 4 },
  })
  const { body: history } = await send(own, 'GET', `/products/${first.id}/history`)
  expect(history.results[0]).toMatchObject({
    before: { 'views.de': { name: 'Tasse', price: 3 } },
    after: { 'views.de': null },
  })
  // A write that was on its way while the view was deleted.
  await service.database.query(sql`
    update products set views = '{"de": {"name": "Rest"}}' where project_id = ${own.project} and sku = 'B'`)
  await define(own, 'de', { label: 'German' })
  expect((await send(own, 'GET', '/products?sku=B&view=de')).body.results).toMatchObject([{ name: 'Cup' }])
})
