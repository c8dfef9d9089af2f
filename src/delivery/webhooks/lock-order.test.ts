import { beforeAll, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../test/database/blocked.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('locks'))
  shop = await service.tenant()
})

test.each([
  ['a replay', { path: '/replay', method: 'POST', body: { from: '0' }, disabled: false }],
  ['an enabling', { path: '/enable', method: 'POST', body: {}, disabled: true }],
  ['a change', { path: '', method: 'PATCH', body: { types: null }, disabled: false }],
  ['a deletion', { path: '', method: 'DELETE', disabled: false }],
])('%s that waits for a partition does not lock the webhook against its delivery', async (_, act) => {
  const { path, disabled, ...request } = act
  const receiver = { url: 'https://receiver.invalid/' }
  const { body: webhook } = await shop.call('/v2/webhooks', { method: 'POST', body: receiver })
  if (disabled)
    await service.database.query(sql`update webhooks set disabled_reason = 'gone' where id = ${webhook.id}`)
  const response = await service.database.transaction(async (tx) => {
    await tx.query(sql`select from webhook_lanes where webhook_id = ${webhook.id} and lane = 7 for update`)
    const acting = shop.call(`/v2/webhooks/${webhook.id}${path}`, request)
    const backend = await backendOf(tx)
    await until(() => isWaitedFor(service.database, backend))
    await tx.query(sql`select from webhooks where id = ${webhook.id} for update nowait`)
    return { acting }
  })
  expect((await response.acting).status).toBeLessThan(300)
})
