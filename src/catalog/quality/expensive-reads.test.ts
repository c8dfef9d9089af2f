import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestResponse, type TestService } from '../../../test/harness.ts'
import { requestConnections } from '../../../test/requests/wire-count.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import { sql } from '../../platform/database/sql.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { previewRules } from './preview-rules.ts'

let service: TestService
let shop: Tenant
let other: Tenant
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('expensive'))
  shop = await service.tenant()
  other = await service.tenant()
  const lines = Array.from({ length: 60 }, (_, index) => ({ sku: `P-${index}`, name: 'Product' }))
  for (const { call } of [shop, other]) await call('/v2/products/bulk', { method: 'POST', body: lines })
})

const rules: QualityRule[] = [{ code: 'long_name', kind: 'text_length', field: 'name', min: 3, points: 10 }]
const reads = {
  'quality previews': ({ call }: Tenant, prefix: string) =>
    call(`${prefix}/quality-rules/preview`, { method: 'POST', body: { rules } }),
  'attribute previews': ({ call }: Tenant, prefix: string) =>
    call(`${prefix}/attributes/preview`, { method: 'POST', body: { name: 'color', type: 'text' } }),
  'attribute suggestions': ({ call }: Tenant, prefix: string) => call(`${prefix}/attribute-suggestions`),
  duplicates: ({ call }: Tenant, prefix: string) => call(`${prefix}/products/duplicates`),
}

/** The number of request statements that wait for the locked products. Jobs can wait for them too. */
const waiting = async () => {
  const [row] = await service.database.query(sql<{ count: number }>`
    select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
    where relation = 'products'::regclass and not granted and application_name = any(${requestConnections})`)
  return row?.count
}

describe.each(Object.entries(reads))('%s', (_name, read) => {
  test('run one at a time on every route, and a project with many requests is rejected while others wait', async () => {
    const responses: Promise<TestResponse>[] = []
    await service.database.transaction(async (tx) => {
      await tx.query(sql`lock table products in access exclusive mode`)
      responses.push(
        ...['/api', '/v2', '/v2', '/api', '/v2', '/v2', '/v2'].map((prefix) => read(shop, prefix)),
      )
      // One request is rejected immediately: one has the slot, and five wait for it.
      const rejected = await Promise.race(responses)
      expect([rejected.status, rejected.body.code]).toEqual([503, 'too_busy'])
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
      await expect.poll(waiting).toBe(1)
      responses.push(read(other, '/v2'))
      await other.call('/v2/categories')
      expect(await waiting()).toBe(1)
    })
    const statuses = (await Promise.all(responses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(7).fill(200), 503])
  })
})

test('a preview of slow rules checks fewer products, still spread over all of them', async () => {
  const inForce = await currentRuleset(service.database, shop.project)
  const { results } = (await shop.call('/v2/products?page_size=60')).body
  const preview = await previewRules(service.database, shop.project, inForce, rules, 0)
  expect(preview).toMatchObject({ products: 60, looked_at: 20 })
  const places = preview.changes.map(({ id }) =>
    results.findIndex((product: { id: number }) => product.id === id),
  )
  expect(places.toSorted((one, other) => one - other)).toEqual(places.map((_, index) => index * 3))
})
