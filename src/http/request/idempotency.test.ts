import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../database/sql.ts'
import { deleteOldAnswers } from './idempotency.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const post = (path: string, body: unknown, key: string, tenant = shop) =>
  tenant.call(path, { method: 'POST', body, headers: { 'idempotency-key': key } })

describe('an Idempotency-Key', () => {
  test('gives the first answer again: status, address, ETag and body', async () => {
    const body = { sku: 'I-1', name: ' Trimmed ', price: 1.5, attributes: { z: 1, a: 2 } }
    const first = await post('/api/products', body, 'key-1')
    const again = await post('/api/products', body, 'key-1')
    expect([again.status, again.text]).toEqual([201, first.text])
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  })

  test('is the same under both prefixes', async () => {
    const body = { sku: 'I-9', name: 'Both' }
    const first = await post('/api/products', body, 'key-9')
    const again = await post('/v2/products', body, 'key-9')
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
  })

  test('with another body is refused: 422', async () => {
    await post('/api/products', { sku: 'I-2', name: 'One' }, 'key-2')
    const { status, body } = await post('/api/products', { sku: 'I-3', name: 'Two' }, 'key-2')
    expect([status, body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('fault 21: belongs to project, method and path', async () => {
    const other = await service.tenant()
    const body = { sku: 'I-4', name: 'One' }
    const ours = await post('/api/products', body, 'key-4')
    const theirs = await post('/api/products', body, 'key-4', other)
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(theirs.body.id).not.toBe(ours.body.id)
    expect((await post('/api/categories', { name: 'I' }, 'key-4')).status).toBe(201)
  })

  test('fault 20: by 20 clients at once writes once: the others get the same answer, or 409 while it is in flight', async () => {
    const { body: product } = await shop.call('/api/products', {
      method: 'POST',
      body: { sku: 'I-5', name: 'Stock', inventory: { quantity: 0 } },
    })
    const path = `/api/products/${product.id}/inventory/adjust`
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(path, { delta: 5, reason: 'Delivery' }, 'key-5')),
    )
    for (const { status, body } of answers) {
      if (status === 409) expect(body.code).toBe('idempotency_in_flight')
      else expect([status, body.quantity]).toEqual([200, 5])
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await shop.call(`/api/products/${product.id}`)).body.inventory.quantity).toBe(5)
  })

  test('of a request that failed may be used again', async () => {
    await post('/api/products', { sku: 'I-6', name: '' }, 'key-6')
    expect((await post('/api/products', { sku: 'I-6', name: 'Right' }, 'key-6')).status).toBe(201)
  })

  test.each(['', 'x'.repeat(256), 'two words', '\u00e4'])('that is %j is refused: 400', async (key) => {
    const { status, body } = await post('/api/products', { sku: 'I-7', name: 'x' }, key)
    expect([status, body.code]).toEqual([400, 'malformed_request'])
  })

  test('is forgotten after 24 hours', async () => {
    await post('/api/categories', { name: 'Old key' }, 'key-8')
    await service.database.query(sql`
      update idempotency_keys set created_at = now() - interval '25 hours' where project_id = ${shop.project} and key = 'key-8'`)
    expect((await post('/api/categories', { name: 'Old key' }, 'key-8')).body.code).toBe('duplicate_name')
    await deleteOldAnswers(service.database, new AbortController().signal)
    const rows = await service.database.query(
      sql`select from idempotency_keys where project_id = ${shop.project} and key = 'key-8'`,
    )
    expect(rows).toHaveLength(0)
  })
})
