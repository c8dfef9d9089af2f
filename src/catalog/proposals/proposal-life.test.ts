import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { expireProposals } from './expire-proposals.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object, headers = {}) =>
  shop.call(`/v2${path}`, { method, headers, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'A product', ...body })).body
const propose = async (lines: object[], query = '') => {
  const { status, body } = await send('POST', `/proposals${query}`, lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const apply = (id: number, body: object = {}) => send('POST', `/proposals/${id}/apply`, body)
const shown = async (id: number) => (await send('GET', `/proposals/${id}`)).body
const expire = () => expireProposals(service.database, new AbortController().signal)
const change = (statement: ReturnType<typeof sql>) =>
  service.database.transaction((tx) => tx.query(statement))
const own = (id: number) => sql`project_id = ${shop.project} and id = ${id}`

describe('a proposal that is not applied in time', () => {
  const late = (id: number) =>
    change(sql`update proposals set expires_at = clock_timestamp() - interval '1 minute' where ${own(id)}`)
  const old = (id: number) =>
    change(sql`update proposals set closed_at = closed_at - interval '31 days' where ${own(id)}`)

  test('can no longer be applied, expires, and is later deleted with its lines', async () => {
    const { id } = await propose([{ sku: 'L1', name: 'N' }])
    await late(id)
    const rejected = [await apply(id), await send('POST', `/proposals/${id}/discard`)]
    expect(rejected.map(({ status, body }) => [status, body.code, body.detail])).toEqual(
      Array(2).fill([409, 'proposal_closed', `Proposal ${id} is expired; create a new one.`]),
    )
    await expire()
    expect(await shown(id)).toMatchObject({ state: 'expired', summary: { states: { open: 1 } } })
    expect((await apply(id)).status).toBe(409)
    await expire()
    expect((await shown(id)).state).toBe('expired')
    await old(id)
    await expire()
    expect((await send('GET', `/proposals/${id}`)).status).toBe(404)
    const left = await service.database.query(sql`
      select from proposal_lines where project_id = ${shop.project} and proposal_id = ${id}`)
    expect(left).toEqual([])
  })

  test('expires even if all lines are in conflict', async () => {
    await send('POST', '/products/bulk', [{ sku: 'L8', name: 'N', price: 1 }])
    const { id } = await propose([{ sku: 'L8', price: 2 }])
    await send('POST', '/products/bulk', [{ sku: 'L8', price: 3 }])
    expect((await apply(id)).body).toMatchObject({
      state: 'partly_applied',
      summary: { states: { conflict: 1 } },
    })
    await late(id)
    await expire()
    expect((await shown(id)).state).toBe('expired')
    await old(id)
    await expire()
    expect((await send('GET', `/proposals/${id}`)).status).toBe(404)
  })

  test('is retained if lines were applied, and can still be reverted', async () => {
    const { id } = await propose([
      { sku: 'L2', name: 'N' },
      { sku: 'L3', name: 'N' },
    ])
    expect((await apply(id, { lines: [1] })).body.state).toBe('open')
    await late(id)
    await expire()
    expect((await shown(id)).state).toBe('expired')
    await old(id)
    await expire()
    expect(await shown(id)).toMatchObject({ state: 'expired', summary: { states: { applied: 1, open: 1 } } })
    expect((await send('POST', `/proposals/${id}/revert`)).body).toMatchObject({ summary: { total: 1 } })
  })

  test('does not expire after lines were applied, and its conflicts can be applied later', async () => {
    const product = await create({ sku: 'L4', price: 1 })
    const { id } = await propose([
      { sku: 'L4', price: 2 },
      { sku: 'L5', name: 'N' },
    ])
    await send('PATCH', `/products/${product.id}`, { price: 3 })
    expect((await apply(id)).body.state).toBe('partly_applied')
    await late(id)
    await expire()
    expect((await apply(id, { lines: [1], overwrite: true })).body.state).toBe('applied')
  })
})
