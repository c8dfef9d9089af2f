import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../test/harness.ts'
import { sql } from '../database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const propose = async (lines: object[]) => (await send('POST', '/proposals', lines)).body
const apply = async (id: number, body: object = {}) =>
  (await send('POST', `/proposals/${id}/apply`, body)).body

test('an apply that was cut off after its last line is settled by applying again', async () => {
  const { id } = await propose([{ sku: 'Z1', name: 'N' }])
  const applied = await apply(id)
  await service.database.transaction((tx) =>
    tx.query(sql`
      update proposals set state = 'applying', applied_at = null where project_id = ${shop.project} and id = ${id}`),
  )
  expect(await apply(id)).toEqual({ ...applied, applied_at: expect.any(String) })
})
