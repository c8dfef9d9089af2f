import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { startDeliveries } from '../../../../test/delivering-process.ts'
import { noDeliveries, startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'
import { sql } from '../../../platform/database/sql.ts'
import { jobLimits } from '../../../platform/limits/jobs.ts'
import { webhookLimits } from '../../limits.ts'

const allowed = ['127.0.0.0/8']
/** With these networks, the self-test finds that this machine is not blocked. */
const unsafe = { ...webhookLimits, webhooksAtOnce: 0, selfTestAllows: allowed }
const quick = { ...jobLimits, pollMilliseconds: 20, stopMilliseconds: 50 }

let connection: pg.ClientConfig
let service: TestService
let shop: Tenant
beforeAll(async () => {
  connection = await ownDatabase('jobs')
  service = await startTestService({ webhookAllow: allowed }, connection, {
    ...noDeliveries,
    webhookLimits: unsafe,
  })
  shop = await service.tenant()
})

async function createWebhookWithEvent(url: string): Promise<string> {
  const { id } = (await shop.call('/v2/webhooks', { method: 'POST', body: { url } })).body
  await shop.call('/v2/products', { method: 'POST', body: { sku: `S-${id}`, name: 'Mug' } })
  return `/v2/webhooks/${id}`
}

const jobs = (condition = sql`true`) =>
  service.database.query(sql<{ key: string }>`
    select key from jobs where kind = 'webhook.deliver' and ${condition}`)

test('a service that cannot block connections to private networks sends nothing and returns webhooks_off', async () => {
  const receiver = await startReceiver()
  const at = await createWebhookWithEvent(receiver.url)
  const { status, body } = await shop.call(`${at}/test`, { method: 'POST' })
  expect([status, body.code]).toEqual([503, 'webhooks_off'])
  const process = startDeliveries(connection, allowed, {
    webhooks: { ...webhookLimits, selfTestAllows: allowed },
    jobs: quick,
  })
  await expect.poll(() => jobs()).toEqual([])
  await process.stop()
  expect(receiver.received).toEqual([])
  await shop.call(at, { method: 'DELETE' })
})

test('a stopping process releases its webhooks at once, without warnings and without failures for pending requests', async () => {
  const { promise: never } = Promise.withResolvers<number>()
  let waiting = 0
  const receiver = await startReceiver(() => {
    waiting += 1
    return never
  })
  const at = await createWebhookWithEvent(receiver.url)
  const process = startDeliveries(connection, allowed, { webhooks: webhookLimits, jobs: quick })
  await expect.poll(() => waiting).toBe(1)
  await process.stop()
  expect(process.warnings).toEqual([])
  expect(await jobs(sql`owner is not null or attempts > 0`)).toEqual([])
  expect(await jobs(sql`due_at <= clock_timestamp()`)).toHaveLength(1)
  expect((await shop.call(at)).body).toMatchObject({ state: 'enabled', last_error: null })
})

test('an event is not skipped if storing its failed delivery fails', { tags: 'slow' }, async () => {
  const receiver = await startReceiver(() => 422)
  const at = await createWebhookWithEvent(receiver.url)
  await service.database.transaction((tx) =>
    tx.script(`
      create function fail_insert() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger fail_insert before insert on webhook_parked for each row execute function fail_insert()`),
  )
  const limits = { ...webhookLimits, pauseMilliseconds: [1, 1, 1, 1, 1], saveMilliseconds: 10 }
  const process = startDeliveries(connection, allowed, { webhooks: limits, jobs: quick })
  await expect.poll(() => jobs(sql`attempts > 0`)).toHaveLength(1)
  await service.database.transaction((tx) => tx.script('drop trigger fail_insert on webhook_parked'))
  const parked = async () => (await shop.call(`${at}/parked`)).body.results
  await expect.poll(parked).toMatchObject([{ status: 422 }])
  await process.stop()
})
