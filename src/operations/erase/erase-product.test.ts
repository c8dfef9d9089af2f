import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import { productTables } from './delete-products.sql.ts'
import { eraseProduct, requireErasable } from './erase-product.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const actor = { name: 'the one who erases' }

test('an archived product is erased with its history, links, stock adjustments and stored responses, and counts stay exact', async () => {
  const shop = await service.tenant()
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    shop.call(`/v2${path}`, { method, body, headers })
  const body = {
    sku: 'SECRET-1',
    name: 'Told nobody',
    description: 'Personal',
    categories: [{ name: 'Mugs' }],
  }
  const key = { 'idempotency-key': 'one' }
  const { id } = (await send('POST', '/products', body, key)).body
  await send('POST', '/products', { ...body, sku: 'STAYS' }, { 'idempotency-key': 'two' })
  const adjusted = { delta: 3, reason: 'Delivery' }
  await send('POST', `/products/${id}/inventory/adjust`, adjusted, key)

  const erase = () => eraseProduct(service.database, actor, shop.project, id)
  await expect(erase()).rejects.toThrow(`product ${id} (SECRET-1) is pending; archive it first`)
  await send('PATCH', `/products/${id}`, { status: 'archived' })
  expect(await requireErasable(service.database, shop.project, { sku: 'SECRET-1' })).toMatchObject({ id })
  expect(await erase()).toEqual({ id, sku: 'SECRET-1' })

  expect((await send('GET', `/products/${id}`)).status).toBe(404)
  expect((await send('GET', `/products/${id}/history`)).status).toBe(404)
  for (const table of productTables) {
    const rows = await service.database.query(sql<{ product_id: number }>`
      select product_id from ${raw(table)} where project_id = ${shop.project}`)
    expect(rows.filter(({ product_id }) => product_id === id)).toEqual([])
  }
  const kept = await service.database.query(sql<{ key: string }>`
    select key from idempotency_keys where project_id = ${shop.project}`)
  expect(kept).toEqual([{ key: 'two' }])
  const [list, category] = [await send('GET', '/products'), await send('GET', '/categories')]
  expect([list.body.count, list.body.results[0].sku]).toEqual([1, 'STAYS'])
  const { body: mugs } = await send('GET', `/products?category=${category.body.results[0].id}`)
  expect(mugs.count).toBe(1)
  const wrong = await service.database.query(
    sql`select from product_count_differences where project_id = ${shop.project}`,
  )
  expect(wrong).toEqual([])

  const audited = await service.database.query(sql<{ actor: string; target: string; details: object }>`
    select actor, target, details from audit_entries where project_id = ${shop.project} and action = 'product.erase'`)
  expect(audited).toEqual([{ actor: actor.name, target: `product ${id}`, details: { id, sku: 'SECRET-1' } }])
  // The SKU is free again, and so is the key.
  expect((await send('POST', '/products', body, key)).body.id).not.toBe(id)
  await expect(erase()).rejects.toThrow(`project ${shop.project} has no product ${id}`)
})

test('a product of another project is not erased', async () => {
  const [shop, other] = [await service.tenant(), await service.tenant()]
  const { body } = await shop.call('/v2/products', {
    method: 'POST',
    body: { sku: 'A', name: 'A', status: 'archived' },
  })
  await expect(eraseProduct(service.database, actor, other.project, body.id)).rejects.toThrow(
    'has no product',
  )
  await expect(requireErasable(service.database, other.project, { sku: 'A' })).rejects.toThrow(
    'has no product',
  )
})
