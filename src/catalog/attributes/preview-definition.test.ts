import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const preview = (body: object) => shop.call('/v2/attributes/preview', { method: 'POST', body })

test('a preview reports which products break a definition and why, and writes nothing', async () => {
  const { body: lamps } = await shop.call('/v2/categories', { method: 'POST', body: { name: 'Lamps' } })
  const product = (sku: string, attributes: object, more: object = {}) => ({
    sku,
    name: sku,
    attributes,
    ...more,
  })
  await shop.call('/v2/products/bulk', {
    method: 'POST',
    body: [
      product('FINE', { watt: 5 }, { status: 'active', categories: [{ id: lamps.id }] }),
      product('MUCH', { watt: 5000 }),
      product('TEXT', { watt: 'five' }),
      product('LACKS', {}, { status: 'active', categories: [{ id: lamps.id }] }),
      product('NO-LAMP', {}, { status: 'active' }),
    ],
  })
  const definition = { name: 'watt', type: 'number', max: 100, mode: 'off' }
  const required_for = { categories: [lamps.id] }
  const { status, body } = await preview({ ...definition, required_for })
  expect([status, body]).toMatchObject([
    200,
    {
      products: 5,
      looked_at: 5,
      with_value: 3,
      offending: 3,
      offenders: [
        { sku: 'MUCH', code: 'too_large' },
        { sku: 'TEXT', code: 'wrong_type' },
        { sku: 'LACKS', code: 'required' },
      ],
    },
  ])
  expect((await preview(definition)).body.offending).toBe(2)
  expect((await shop.call('/v2/attributes')).body.count).toBe(0)
})

test('a definition that contradicts itself is rejected at its pointer', async () => {
  const { status, body } = await preview({ name: 'watt', type: 'choice' })
  expect([status, body.errors]).toMatchObject([422, [{ pointer: '/allowed', code: 'required' }]])
  expect((await preview({ name: '__proto__', type: 'text' })).body.offending).toBe(0)
})
