import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { noDeliveries, startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { numberCommitted } from '../events/number-events.sql.ts'
import { expireEvents } from './expire-events.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('retention'), noDeliveries)
})

const day = 86_400
const retention = 90 * day
const expire = () => expireEvents(service.database, retention, new AbortController().signal)

/** A project with one event per given age in days. */
async function shopWith(...ages: number[]): Promise<Tenant & { cursors: string[] }> {
  const shop = await service.tenant()
  for (const age of ages) await addEvent(shop, age)
  const { body } = await shop.call('/v2/events')
  return { ...shop, cursors: body.results.map(({ cursor }: { cursor: string }) => cursor) }
}

async function addEvent({ call, project }: Tenant, age: number): Promise<void> {
  await call('/v2/categories', { method: 'POST', body: { name: crypto.randomUUID() } })
  await numberCommitted(service.database)
  await service.database.query(sql`
    update event_feed set changed_at = now() - make_interval(days => ${age})
    where project_id = ${project} and number = (select max(number) from event_feed where project_id = ${project})`)
}

const numbers = async ({ project }: Tenant) => {
  const rows = await service.database.query(
    sql<{ number: number }>`select number from event_feed where project_id = ${project} order by number`,
  )
  return rows.map(({ number }) => number)
}

test('events older than the retention are deleted, except the newest and the one before the first retained event', async () => {
  const shop = await shopWith(100, 95, 10, 92, 5)
  const old = await shopWith(200, 150, 100)
  await expire()
  // The remaining events have no gap, even if one of them is older.
  expect([await numbers(shop), await numbers(old)]).toEqual([
    [2, 3, 4, 5],
    [2, 3],
  ])
  await addEvent(old, 0)
  expect(await numbers(old)).toEqual([2, 3, 4])
  await expire()
  expect(await numbers(old)).toEqual([3, 4])
})

test('a client that has read everything continues from its cursor, however long nothing changed', async () => {
  const shop = await shopWith(200, 100)
  const last = shop.cursors[1]
  await addEvent(shop, 0)
  await expire()
  const { status, body } = await shop.call(`/v2/events?after=${last}`)
  expect([status, body.results.length]).toEqual([200, 1])
})

test('a cursor of deleted events returns 410; the beginning is the oldest retained event', async () => {
  const shop = await shopWith(100, 95, 10, 5)
  const [first, second, third] = shop.cursors
  await expire()
  for (const path of [`events?after=${first}`, `events/stream?after=${first}`]) {
    const { status, body } = await shop.call(`/v2/${path}`)
    expect([status, body.code]).toEqual([410, 'cursor_expired'])
    expect(body.detail).toContain(shop.cursors[3])
  }
  expect((await shop.call(`/v2/events?after=${third}`)).body.results).toHaveLength(1)
  const { body } = await shop.call('/v2/events?after=0&limit=1')
  expect([body.results[0].cursor, body.cursor]).toEqual([second, second])
  expect((await shop.call('/v2/events')).body.results).toHaveLength(3)
})

test('many old events are deleted in batches', async () => {
  const shop = await shopWith(100)
  await service.database.query(sql`
    insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids)
    select project_id, number + more, gen_random_uuid(), type, changed_at, actor, source, object_ids
    from event_feed, generate_series(1, 1200) as more where project_id = ${shop.project}`)
  await expire()
  expect(await numbers(shop)).toEqual([1200, 1201])
  expect((await shop.call('/v2/events')).body.results).toHaveLength(2)
})

const hook = (shop: Tenant, body: object) =>
  shop.call('/v2/webhooks', { method: 'POST', body: { url: 'https://receiver.invalid/', ...body } })
const skippedBefore = async (shop: Tenant, id: number) =>
  (await shop.call(`/v2/webhooks/${id}`)).body.skipped_before

test('undelivered events of an enabled webhook are retained for 30 more days, then skipped_before reports the loss', async () => {
  const shop = await shopWith(131, 130, 100, 95, 5)
  const { body } = await hook(shop, { from: shop.cursors[1] })
  await expire()
  // The first two are delivered and older than all retained events; the second is the webhook's position.
  expect([await numbers(shop), await skippedBefore(shop, body.id)]).toEqual([[2, 3, 4, 5], null])
  const age = sql`update event_feed set changed_at = changed_at - interval '25 days' where project_id = ${shop.project} and number < 5`
  await service.database.query(age)
  await expire()
  expect(await numbers(shop)).toEqual([4, 5])
  const [kept] = await service.database.query(sql<{ at: string }>`
    select changed_at as at from event_feed where project_id = ${shop.project} order by number limit 1`)
  expect(await skippedBefore(shop, body.id)).toBe(kept?.at)
})

test('a disabled webhook retains no events, and skipped_before reports the loss', async () => {
  const shop = await shopWith(105, 100, 95, 5)
  const { body } = await hook(shop, { from: '0' })
  await shop.call(`/v2/webhooks/${body.id}/disable`, { method: 'POST' })
  // The fifth event is webhook.disabled, which the service also numbers in the background.
  await numberCommitted(service.database)
  await expire()
  expect(await numbers(shop)).toEqual([3, 4, 5])
  expect(await skippedBefore(shop, body.id)).not.toBe(null)
})

test('a webhook that starts before the oldest retained event starts with it, and skipped_before reports that', async () => {
  const shop = await shopWith(105, 100, 95, 5)
  await expire()
  const expired = await hook(shop, { from: shop.cursors[0] })
  expect([expired.status, expired.body.code]).toEqual([410, 'cursor_expired'])
  const moment = new Date(Date.now() - 104 * day * 1000).toISOString()
  const { body: old } = await hook(shop, { from: moment })
  const { body: fresh } = await hook(shop, { from: 'now' })
  expect([old.skipped_before === null, fresh.skipped_before]).toEqual([false, null])
  const replayed = await shop.call(`/v2/webhooks/${fresh.id}/replay`, {
    method: 'POST',
    body: { from: moment },
  })
  expect(replayed.body.skipped_before).toBe(old.skipped_before)
})

test('a service with an event retention deletes old events by itself', { tags: 'slow' }, async () => {
  const own = await startTestService({ eventRetention: '2h' }, await ownDatabase('expiring'), noDeliveries)
  const shop = await own.tenant()
  for (const name of ['Oldest', 'Old', 'New'])
    await shop.call('/v2/categories', { method: 'POST', body: { name } })
  await shop.call('/v2/events')
  await own.database.query(sql`update event_feed set changed_at = changed_at - interval '3 hours'`)
  // The task has run at the start and is due again only a minute later.
  const isDue = sql`update jobs set due_at = now() where kind = 'upkeep' and key = 'event retention' returning id`
  await expect.poll(() => own.database.query(isDue)).toHaveLength(1)
  await expect.poll(async () => (await shop.call('/v2/events')).body.results.length).toBe(2)
})
