import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../../../test/console-user.ts'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { isSigned, type Receiver, startReceiver } from '../../../../test/webhook-receiver.ts'
import { sql } from '../../../platform/database/sql.ts'
import { jobLimits } from '../../../platform/limits/jobs.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import { numberEvents } from '../../events/number-events.sql.ts'
import { webhookLimits } from '../../limits.ts'

/** The retry plan in milliseconds instead of hours. */
const limits = {
  ...webhookLimits,
  pauseMilliseconds: Array.from({ length: 10 }, () => 20),
  exchangeMilliseconds: 2_000,
  saveMilliseconds: 100,
  pollMilliseconds: 20,
  checkMilliseconds: 50,
  sweepMilliseconds: 50,
}
const jobs = { ...jobLimits, pollMilliseconds: 20, leaseMilliseconds: 3_000 }
const allowed = { webhookAllow: ['127.0.0.0/8'] }

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService(allowed, await ownDatabase('delivery'), {
    webhookLimits: limits,
    jobLimits: jobs,
  })
  shop = await service.tenant()
})

async function makeWebhook(receiver: Receiver, more: object = {}, tenant = shop) {
  const { body } = await tenant.call('/v2/webhooks', { method: 'POST', body: { url: receiver.url, ...more } })
  const at = `/v2/webhooks/${body.id}`
  return {
    ...(body as { id: number; secret: string }),
    detail: async () => (await tenant.call(at)).body,
    post: (path: string, sent?: object) => tenant.call(at + path, { method: 'POST', body: sent }),
    list: async (path: string) => (await tenant.call(at + path)).body.results,
    remove: () => tenant.call(at, { method: 'DELETE' }),
  }
}

let created = 0
/** Writes a number of products one after the other, several times, and numbers the events. */
async function writeProducts(products: number, times = 1, tenant = shop): Promise<void> {
  const skus = Array.from({ length: products }, (_, place) => `P${created + place}`)
  created += products
  for (let round = 1; round <= times; round += 1)
    await tenant.call('/v2/products/bulk', {
      method: 'POST',
      body: skus.map((sku) => ({ sku, name: `Round ${round}` })),
    })
  await numberEvents(service.database)
}

const until = (what: () => unknown) => expect.poll(what, { interval: 10 })
const idsOf = (events: CatalogEvent[]) => events.map(({ id }) => id)

/** The versions of each object in the order of delivery. */
function expectInOrder(events: CatalogEvent[]): void {
  for (const [id, own] of Map.groupBy(events, ({ data }) => data.id)) {
    const versions = own.map(({ data }) => data.version)
    expect(versions, `product ${id}`).toEqual([...versions].sort((one, other) => Number(one) - Number(other)))
  }
}

describe('events', () => {
  test('are delivered once each, in order per object, signed, with the same event id in every attempt', {
    tags: 'slow',
  }, async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver, { types: ['product.*'] })
    await writeProducts(10, 3)
    await until(() => receiver.received.length).toBe(30)
    expect(new Set(idsOf(receiver.delivered())).size).toBe(30)
    expectInOrder(receiver.delivered())
    for (const { body, headers, event } of receiver.received) {
      expect(isSigned([webhook.secret], body, headers)).toBe(true)
      expect(headers['webhook-id']).toBe(event.id)
    }
    await until(webhook.detail).toMatchObject({ state: 'enabled', lag_seconds: 0, last_error: null })
    const attempts = () => webhook.list('/attempts?page_size=500')
    await until(attempts).toHaveLength(30)
    expect((await attempts())[0]).toMatchObject({ try: 1, status: 200, error: null })
    await webhook.remove()
  })

  test('all reach a receiver that fails a third of the time, in order per object', {
    tags: 'slow',
  }, async () => {
    let asked = 0
    const receiver = await startReceiver(() => {
      asked += 1
      return asked % 3 === 0 ? 503 : 200
    })
    const webhook = await makeWebhook(receiver)
    await writeProducts(8, 5)
    await until(() => new Set(idsOf(receiver.delivered())).size).toBe(40)
    expect(receiver.received.some(({ status }) => status === 503)).toBe(true)
    expectInOrder(receiver.delivered())
    await webhook.remove()
  })

  test('of other types, and of objects that the creator cannot read, are not delivered', {
    tags: 'slow',
  }, async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver, { types: ['product.updated'] })
    await writeProducts(2, 2)
    await until(() => receiver.received.length).toBe(2)
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['product.updated', 'product.updated'])
    const narrow = await service.tenant({ scopes: ['webhooks:manage'] })
    const { body } = await narrow.call('/v2/webhooks', { method: 'POST', body: { url: receiver.url } })
    const [head] = await service.database.query(sql<{ number: number }>`
      insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids, versions)
      values (${narrow.project}, 1, gen_random_uuid(), 'product.created', now(), 'tester', 'api', '{1}', '{1}') returning number`)
    const places = () =>
      service.database.query(
        sql<{ number: number }>`select distinct number from webhook_lanes where webhook_id = ${body.id}`,
      )
    await until(places).toEqual([{ number: head?.number }])
    expect(receiver.received).toHaveLength(2)
    await webhook.remove()
  })

  test('that are too large are delivered without before and after', async () => {
    const receiver = await startReceiver()
    const webhook = await makeWebhook(receiver)
    const body = { sku: 'LARGE', name: 'Large', description: 'ä'.repeat(15_000) }
    await shop.call('/v2/products', { method: 'POST', body })
    await numberEvents(service.database)
    await until(() => receiver.received.length).toBe(1)
    const [{ event, body: text, headers } = { event: undefined, body: '', headers: {} }] = receiver.received
    expect(event).toMatchObject({ truncated: true, data: { sku: 'LARGE', before: null, after: null } })
    expect(isSigned([webhook.secret], text, headers)).toBe(true)
    await webhook.remove()
  })
})

describe('an event that the receiver rejects', () => {
  test('becomes a failed delivery after five attempts while its partition continues, and a retry can deliver it', {
    tags: 'slow',
  }, async () => {
    let isRefusing = true
    const receiver = await startReceiver(({ data }) => (isRefusing && data.sku === 'POISON' ? 422 : 200))
    const webhook = await makeWebhook(receiver)
    await shop.call('/v2/products', { method: 'POST', body: { sku: 'POISON', name: 'Bad' } })
    await numberEvents(service.database)
    await until(() => webhook.list('/parked')).toMatchObject([{ tries: 5, status: 422, error: 'HTTP 422' }])
    expect(receiver.received).toHaveLength(5)
    await writeProducts(20)
    await until(() => receiver.delivered().length).toBe(20)
    await service.database.query(
      sql`update webhook_parked set tries = 32766 where webhook_id = ${webhook.id}`,
    )
    await webhook.post('/parked/retry')
    await until(() => webhook.list('/attempts?failed=true')).toHaveLength(6)
    await until(() => webhook.list('/parked')).toMatchObject([{ tries: 32766, retrying: false }])
    isRefusing = false
    expect((await webhook.post('/parked/retry')).body).toEqual({ retrying: 1 })
    await until(() => webhook.list('/parked')).toEqual([])
    const [first] = receiver.received
    expect(receiver.received.at(-1)?.event).toEqual(first?.event)
    await webhook.remove()
  })
})

test('failed deliveries are retried one after the other, and a slow receiver does not delay other webhooks', {
  tags: 'slow',
}, async () => {
  const { promise: mayRespond, resolve: respondToAll } = Promise.withResolvers<void>()
  const [slow, quick] = [await startReceiver(() => 422), await startReceiver(() => 422)]
  const webhooks = [await makeWebhook(slow), await makeWebhook(quick)] as const
  const retry = ({ post }: (typeof webhooks)[number]) => post('/parked/retry')
  await writeProducts(2)
  for (const { list } of webhooks) await until(() => list('/parked')).toHaveLength(2)
  let waiting = 0
  slow.respond = async () => {
    waiting += 1
    await mayRespond
    return 200
  }
  quick.respond = () => 200
  await retry(webhooks[0])
  await until(() => waiting).toBe(1)
  await retry(webhooks[1])
  await until(() => webhooks[1].list('/parked')).toEqual([])
  expect(waiting).toBe(1)
  respondToAll()
  await until(() => webhooks[0].list('/parked')).toEqual([])
  for (const { remove } of webhooks) await remove()
})

test('410 disables the webhook and emits an event; once enabled, it resumes where it stopped', async () => {
  const receiver = await startReceiver(() => 410)
  const watcher = await startReceiver()
  const watching = await makeWebhook(watcher, { types: ['webhook.*'] })
  const webhook = await makeWebhook(receiver, { types: ['product.*'] })
  await writeProducts(1)
  await until(webhook.detail).toMatchObject({
    state: 'disabled',
    disabled_reason: 'gone',
    last_error: 'HTTP 410',
  })
  await numberEvents(service.database)
  await until(() => watcher.delivered().map(({ type, data }) => [type, data.id])).toEqual([
    ['webhook.disabled', webhook.id],
  ])
  expect(watcher.delivered()[0]?.data.after).toMatchObject({
    reason: 'gone',
    url: new URL(receiver.url).origin,
  })
  receiver.respond = () => 200
  await webhook.post('/enable')
  await until(() => receiver.delivered().length).toBe(1)
  await watching.remove()
  await webhook.remove()
})

test('a manually disabled webhook receives nothing, and everything once it is enabled again', async () => {
  const [receiver, watcher] = [await startReceiver(), await startReceiver()]
  const webhook = await makeWebhook(receiver, { types: ['product.*'] })
  const watching = await makeWebhook(watcher)
  const { body } = await webhook.post('/disable')
  expect(body).toMatchObject({ state: 'disabled', disabled_reason: 'by_hand' })
  expect((await webhook.post('/disable')).body.code).toBe('webhook_disabled')
  await writeProducts(2)
  await until(() =>
    watcher
      .delivered()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual([...['product.created', 'product.created', 'webhook.disabled']])
  const emitted = watcher.delivered().find(({ type }) => type === 'webhook.disabled')
  expect(emitted).toMatchObject({ source: 'api', data: { after: { reason: 'by_hand' } } })
  expect(receiver.received).toEqual([])
  const { text: metrics } = await service.call('/metrics')
  expect(metrics).toMatch(/^catalog_webhooks\{state="disabled",reason="by_hand"\} 1$/m)
  expect(metrics).toMatch(/^catalog_webhooks\{state="enabled"\} [1-9]/m)
  expect(metrics).toMatch(/^catalog_webhook_tries_total\{outcome="delivered"\} [1-9]/m)
  await webhook.post('/enable')
  await until(() => receiver.delivered().length).toBe(2)
  await watching.remove()
  await webhook.remove()
})

test('failed events are retried at once when the URL changes, however long the pause', async () => {
  const [wrong, right] = [await startReceiver(() => 500), await startReceiver()]
  const webhook = await makeWebhook(wrong)
  await writeProducts(1)
  const pauseForever = () =>
    service.database.query(sql`
      update webhook_lanes set next_try_at = '2100-01-01' where webhook_id = ${webhook.id} and tries > 0 and leased_by is null
      returning 1`)
  await until(pauseForever).toHaveLength(1)
  const body = { url: right.url }
  await shop.call(`/v2/webhooks/${webhook.id}`, { method: 'PATCH', body })
  // A slow machine can deliver the event twice, which at-least-once delivery allows.
  await until(() => new Set(right.delivered().map(({ id }) => id)).size).toBe(1)
  await webhook.remove()
})

test('the service waits as long as Retry-After says', async () => {
  const receiver = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '60' } }))
  const webhook = await makeWebhook(receiver)
  await writeProducts(1)
  const pauses = () =>
    service.database.query(sql<{ seconds: number }>`
      select extract(epoch from next_try_at - clock_timestamp())::float8 as seconds
      from webhook_lanes where webhook_id = ${webhook.id} and tries > 0`)
  await until(pauses).toEqual([{ seconds: expect.closeTo(60, -1) }])
  expect(receiver.received).toHaveLength(1)
  await webhook.remove()
})

test('a replay delivers the events between two cursors again, with the same ids and in order, and no others', {
  tags: 'slow',
}, async () => {
  const receiver = await startReceiver()
  const webhook = await makeWebhook(receiver)
  await writeProducts(6, 3)
  await until(() => receiver.received.length).toBe(18)
  const inFeed = [...receiver.delivered()].sort(byCursor)
  await until(webhook.detail).toMatchObject({ lag_seconds: 0 })
  const [from, to] = [inFeed[5], inFeed[11]]
  await webhook.post('/replay', { from: from?.cursor, to: to?.cursor })
  await until(() => receiver.received.length).toBe(24)
  const again = receiver.delivered().slice(18)
  expect(new Set(idsOf(again))).toEqual(new Set(idsOf(inFeed.slice(6, 12))))
  await webhook.post('/replay', { from: from?.cursor })
  await until(() => receiver.received.length).toBe(36)
  expectInOrder(receiver.delivered().slice(24))
  await writeProducts(1)
  await until(() => receiver.received.length).toBe(37)
  await webhook.remove()
})

function byCursor(one: CatalogEvent, other: CatalogEvent): number {
  const [, number = 0, , position = 0] = one.cursor.split('.').map(Number)
  const [, otherNumber = 0, , otherPosition = 0] = other.cursor.split('.').map(Number)
  return number - otherNumber || position - otherPosition
}

test('every delivery during a rotation can be verified', async () => {
  const receiver = await startReceiver()
  const webhook = await makeWebhook(receiver)
  receiver.secrets = [webhook.secret]
  await writeProducts(20)
  await until(() => receiver.received.length).toBeGreaterThan(3)
  const { body: rotated } = await webhook.post('/rotate', { overlap: '1h' })
  await writeProducts(10)
  await until(() => receiver.received.length).toBe(30)
  receiver.secrets = [rotated.secret]
  await writeProducts(10)
  await until(() => receiver.received.length).toBe(40)
  expect(receiver.unverified).toBe(0)
  await service.database.query(sql`update webhooks set old_secret_until = now() where id = ${webhook.id}`)
  await writeProducts(1)
  await until(() => receiver.received.length).toBe(41)
  expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1)
  expect(receiver.unverified).toBe(0)
  await webhook.remove()
})

test('a secret that no key decrypts disables the webhook, and a rotation fixes it', async () => {
  const receiver = await startReceiver()
  const webhook = await makeWebhook(receiver, { types: ['product.*'] })
  await service.database.query(
    sql`update webhooks set secret = 'deadbeef' || substr(secret, 9) where id = ${webhook.id}`,
  )
  await writeProducts(1)
  await until(webhook.detail).toMatchObject({ state: 'disabled', disabled_reason: 'secret_unreadable' })
  const { body } = await webhook.post('/rotate')
  expect(body.state).toBe('enabled')
  await until(() => receiver.received.length).toBe(1)
  const [{ body: text, headers } = { body: '', headers: {} }] = receiver.received
  expect(isSigned([body.secret], text, headers)).toBe(true)
  await webhook.remove()
})

test('a project without API access receives nothing, and everything once it regains access', async () => {
  const own = await service.tenant()
  const receiver = await startReceiver()
  const webhook = await makeWebhook(receiver, {}, own)
  await writeProducts(3, 1, own)
  await until(() => receiver.received.length).toBe(3)
  const setAccess = (access: string) =>
    service.database.query(sql`update projects set api_access = ${access} where id = ${own.project}`)
  await setAccess('off')
  await service.database.query(sql`
    insert into event_outbox (project_id, type, actor, source, object_ids) values (${own.project}, 'category.created', 'tester', 'api', '{1}')`)
  await numberEvents(service.database)
  const busy = await startReceiver()
  const other = await makeWebhook(busy)
  await writeProducts(5)
  await until(() => busy.received.length).toBe(5)
  expect(receiver.received).toHaveLength(3)
  await setAccess('on')
  await until(() => receiver.received.length).toBe(4)
  await other.remove()
  await webhook.remove()
})

test('many slow receivers of one project do not block other projects', { tags: 'slow' }, async () => {
  const { promise: mayRespond, resolve: respondToAll } = Promise.withResolvers<void>()
  let waiting = 0
  const slow = await startReceiver(async () => {
    waiting += 1
    await mayRespond
    return 200
  })
  const own = await service.tenant()
  const webhooks = await Promise.all(Array.from({ length: 12 }, () => makeWebhook(slow, {}, own)))
  const quick = await startReceiver()
  const other = await makeWebhook(quick)
  await writeProducts(40, 1, own)
  await until(() => waiting).toBe(limits.webhooksPerProject * limits.partitionsAtOnce)
  await writeProducts(5)
  await until(() => quick.received.length).toBe(5)
  respondToAll()
  for (const { remove } of [...webhooks, other]) await remove()
})

test('a test event is sent at once, signed, and returns up to 1 KiB of the response', async () => {
  const receiver = await startReceiver(() => ({ status: 202, body: 'x'.repeat(5_000) }))
  const webhook = await makeWebhook(receiver)
  const { body } = await webhook.post('/test')
  expect(body).toEqual({
    delivered: true,
    status: 202,
    milliseconds: expect.any(Number),
    answer: 'x'.repeat(1_024),
    error: null,
  })
  const [{ event, body: text, headers } = { event: undefined, body: '', headers: {} }] = receiver.received
  expect(event?.type).toBe('webhook.test')
  expect(isSigned([webhook.secret], text, headers)).toBe(true)
  receiver.respond = () => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } })
  expect((await webhook.post('/test')).body).toMatchObject({ delivered: false, status: 302 })
  expect(receiver.received).toHaveLength(2)
  await webhook.remove()
})

test('a failing webhook emits an event after an hour, a day and four days, is disabled after five days, and managers are notified', {
  tags: 'slow',
}, async () => {
  const receiver = await startReceiver(() => 500)
  const own = await service.tenant()
  const manager = await consoleUser(service, { projects: [own.project] })
  const webhook = await makeWebhook(receiver, { types: ['product.*'] }, own)
  await writeProducts(1, 1, own)
  await until(webhook.detail).toMatchObject({ state: 'failing', last_error: 'HTTP 500' })
  await service.database.query(sql`
    update webhook_lanes set next_try_at = '2100-01-01' where webhook_id = ${webhook.id} and tries > 0`)
  const acts = async () => {
    const lines = await service.database.query(sql<{ action: string }>`
      select action from audit_entries where project_id = ${own.project} and actor = 'service' order by id`)
    return lines.map(({ action }) => action)
  }
  const failSince = (hours: number) =>
    service.database.query(sql`
      update webhooks set failing_since = now() - ${hours} * interval '1 hour' where id = ${webhook.id}`)
  const expected: string[] = []
  for (const hours of [1.1, 24.1, 96.1]) {
    await failSince(hours)
    expected.push('webhook.fail')
    await until(acts).toEqual(expected)
  }
  expect((await service.call('/metrics')).text).toMatch(/^catalog_webhooks\{state="failing"\} [1-9]/m)
  await failSince(120.1)
  await until(acts).toEqual([...expected, 'webhook.disable'])
  expect(await webhook.detail()).toMatchObject({ state: 'disabled', disabled_reason: 'failing' })
  expect((await manager.call('/console/api/notifications')).body.results).toMatchObject([
    {
      kind: 'webhook_failing',
      object_id: webhook.id,
      title: new URL(receiver.url).host,
      state: 'disabled',
      events: 4,
    },
  ])
  await webhook.remove()
})
