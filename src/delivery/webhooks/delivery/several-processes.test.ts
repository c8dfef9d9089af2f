import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { startDeliveries } from '../../../../test/delivering-process.ts'
import { startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { type Receiver, startReceiver } from '../../../../test/webhook-receiver.ts'
import { sql } from '../../../platform/database/sql.ts'
import { jobLimits } from '../../../platform/limits/jobs.ts'
import { numberEvents } from '../../events/number-events.sql.ts'
import { webhookLimits } from '../../limits.ts'

const webhooks = {
  ...webhookLimits,
  pauseMilliseconds: [50, 50, 50],
  saveMilliseconds: 50,
  pollMilliseconds: 25,
  turnMilliseconds: 30,
}
const jobs = { ...jobLimits, pollMilliseconds: 25, leaseMilliseconds: 1_000, renewMilliseconds: 100 }
const allowed = ['127.0.0.0/8']

let connection: pg.ClientConfig
let service: TestService
let shop: Tenant
beforeAll(async () => {
  connection = await ownDatabase('processes')
  service = await startTestService({ webhookAllow: allowed }, connection, {
    webhookLimits: webhooks,
    jobLimits: jobs,
  })
  shop = await service.tenant()
})

async function makeWebhook(receiver: Receiver): Promise<number> {
  const { body } = await shop.call('/v2/webhooks', { method: 'POST', body: { url: receiver.url } })
  return body.id
}

async function writeProducts(count: number, times: number): Promise<void> {
  for (let round = 1; round <= times; round += 1) {
    const body = Array.from({ length: count }, (_, place) => ({ sku: `S${place}`, name: `${Math.random()}` }))
    await shop.call('/v2/products/bulk', { method: 'POST', body })
  }
  await numberEvents(service.database)
}

const until = (what: () => unknown) => expect.poll(what, { interval: 10 })
const ids = ({ received }: Receiver) => received.map(({ event }) => event.id)

function expectInOrder({ received }: Receiver): void {
  for (const own of Map.groupBy(received, ({ event }) => event.data.id).values()) {
    const versions = own.map(({ event }) => Number(event.data.version))
    expect(versions).toEqual([...versions].sort((one, other) => one - other))
  }
}

test('two processes deliver every event once and in order per object, also if one of them stops', {
  tags: 'slow',
}, async () => {
  const receiver = await startReceiver()
  const other = startDeliveries(connection, allowed, { webhooks, jobs })
  await makeWebhook(receiver)
  await writeProducts(20, 5)
  await until(() => receiver.received.length).toBe(100)
  await writeProducts(20, 5)
  await until(() => receiver.received.length).toBeGreaterThan(120)
  await other.stop()
  await until(() => new Set(ids(receiver)).size).toBe(200)
  expect(receiver.received).toHaveLength(200)
  expectInOrder(receiver)
})

test('a webhook of a killed process is taken over when its lease ends', { tags: 'slow' }, async () => {
  const times: number[] = []
  const receiver = await startReceiver(() => {
    times.push(Date.now())
    return 200
  })
  const webhook = await makeWebhook(receiver)
  await service.database.query(sql`
    insert into jobs (project_id, kind, key, due_at, owner, lease_until)
    values (${shop.project}, 'webhook.deliver', ${String(webhook)}, 'infinity', gen_random_uuid(), clock_timestamp() + interval '700 milliseconds')
    on conflict (project_id, kind, key) do update set due_at = 'infinity', owner = excluded.owner, lease_until = excluded.lease_until`)
  const leaseEnds = Date.now() + 690
  await writeProducts(20, 1)
  await until(() => new Set(ids(receiver)).size).toBe(20)
  expect(receiver.received).toHaveLength(20)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(leaseEnds)
})
