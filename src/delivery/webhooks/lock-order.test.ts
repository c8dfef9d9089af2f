import { beforeAll, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../test/database/blocked.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
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

test('creating a webhook with an Idempotency-Key waits while another process adds events', {
  tags: 'slow',
}, async () => {
  const creating = await service.database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.eventNumbering})`)
    await shop.call('/v2/products', { method: 'POST', body: { sku: 'L-1', name: 'Not yet in the feed' } })
    const headers = { 'idempotency-key': 'once' }
    const body = { url: 'https://receiver.invalid/once' }
    const response = shop.call('/v2/webhooks', { method: 'POST', headers, body })
    // A check for new events waits at most 500 ms, so only this request waits for a second.
    await until(
      async () =>
        (
          await service.database.query(sql`
            select from pg_locks where locktype = 'advisory' and objid = ${advisoryLocks.eventNumbering}
            and database = (select oid from pg_database where datname = current_database())
            and not granted and waitstart < clock_timestamp() - interval '1 second'`)
        ).length > 0,
    )
    return { response }
  })
  expect((await creating.response).status).toBe(201)
})
