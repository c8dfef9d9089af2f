import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { changeProject } from '../../access/projects/manage-project.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { revokeTokenRow } from '../../access/tokens/token.sql.ts'
import { loadConfig } from '../../config.ts'
import { minConnections } from '../../platform/database/connections/connection-classes.ts'
import { sql } from '../../platform/database/sql.ts'
import { memoryBudget } from '../../platform/http/limits/memory-budget.ts'
import { rateLimitMemory } from '../../platform/http/limits/rate-limit.ts'
import { timeLimits } from '../../platform/limits/times.ts'
import { startService } from '../../service.ts'
import type { CatalogEvent } from './event.schema.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, undefined, { heartbeatMilliseconds: 100 })
})

const post = async ({ call }: Tenant, path: string, body: unknown, method = 'POST') => {
  const answer = await call(`/v2${path}`, { method, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const events = async ({ call }: Tenant, query = ''): Promise<CatalogEvent[]> =>
  (await call(`/v2/events?${query}`)).body.results
const summarize = ({ type, data }: CatalogEvent) => [type, data.sku, data.version]

describe('the event feed', () => {
  test('returns every kind of product write at once, in order, with the changed fields', {
    tags: 'slow',
  }, async () => {
    const shop = await service.tenant()
    const { id } = await post(shop, '/products', { sku: 'E-1', name: 'Mug' })
    await post(shop, `/products/${id}`, { price: 5 }, 'PATCH')
    await post(shop, '/products/bulk', [
      { sku: 'E-1', name: 'Cup' },
      { sku: 'E-2', name: 'New' },
    ])
    await post(shop, `/products/${id}`, { sku: 'E-1', name: 'Put' }, 'PUT')
    await post(shop, `/products/${id}/revert`, { version: 2 })
    await post(shop, `/products/${id}/inventory/adjust`, { delta: 3, reason: 'Count' })
    const all = await events(shop)
    expect(all.map(summarize).toSorted()).toEqual(
      [
        ['product.created', 'E-1', 1],
        ['product.updated', 'E-1', 2],
        ['product.updated', 'E-1', 3],
        ['product.created', 'E-2', 1],
        ['product.updated', 'E-1', 4],
        ['product.updated', 'E-1', 5],
        ['product.stock_changed', 'E-1', null],
      ].toSorted(),
    )
    const ofFirst = all.filter(({ data }) => data.id === id && data.version !== null)
    const { results: history } = (await shop.call(`/v2/products/${id}/history`)).body
    expect(
      ofFirst.map(({ timestamp, actor, source, data: { version, before, after } }) => ({
        ...{ version, changed_at: timestamp, actor, source, before, after },
      })),
    ).toEqual(
      history
        .toReversed()
        .map(
          ({ provenance, proposal, score_before, score_after, ...change }: Record<string, unknown>) => change,
        ),
    )
    expect(all.at(-1)?.data).toEqual({
      ...{ object: 'product', id, sku: 'E-1', version: null, before: null },
      after: { delta: 3, quantity: 3, reason: 'Count' },
    })

    expect(await events(shop, `after=${all[2]?.cursor}`)).toEqual(all.slice(3))
    expect((await events(shop, 'types=product.stock_changed,category.*')).length).toBe(1)
    expect(await events(shop, 'types=*')).toEqual(all)
    expect(await events(shop, 'limit=2')).toEqual(all.slice(0, 2))
  })

  test('equals the history with 20 concurrent writers: no gap, no duplicate, each product in the order of its versions', {
    tags: 'slow',
  }, async () => {
    const shop = await service.tenant()
    let isWriting = true
    const read: CatalogEvent[] = []
    const reading = (async () => {
      for (let cursor = '0'; ; ) {
        const isLast = !isWriting
        const { body } = await shop.call(`/v2/events?after=${cursor}&limit=50&wait=${isLast ? 0 : 1}`)
        read.push(...body.results)
        cursor = body.cursor
        if (isLast && cursor === body.head) return
      }
    })()
    const writer = async (number: number) => {
      const { id } = await post(shop, '/products', { sku: `W-${number}`, name: 'New' })
      for (let turn = 0; turn < 2; turn += 1) {
        await post(shop, `/products/${id}`, { price: turn }, 'PATCH')
        await post(
          shop,
          '/products/bulk',
          [0, 1, 2].map((one) => ({ sku: `S-${one}`, price: number * 10 + turn, name: 'N' })),
        )
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, number) => writer(number)))
    isWriting = false
    await reading
    const history = await service.database.query(sql<{ id: number; version: number }>`
      select product_id as id, version from product_history where project_id = ${shop.project} order by product_id, version`)
    expect(history.length).toBeGreaterThan(100)
    const ofProducts = Map.groupBy(read, ({ data }) => data.id)
    const inOrderOfIds = [...ofProducts].toSorted(([one], [other]) => one - other)
    expect(
      inOrderOfIds.flatMap(([id, changes]) => changes.map(({ data }) => ({ id, version: data.version }))),
    ).toEqual(history)
    expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
  })

  test('returns an event only with the read scope of its object', async () => {
    const shop = await service.tenant()
    await post(shop, '/products', { sku: 'S-1', name: 'Secret' })
    const only = { scopes: ['events:read', 'prompts:read'] as const }
    const { token } = await issueToken(service.database, { name: 'tester' }, shop.project, only)
    const { body } = await service.call('/v2/events', { token })
    expect([body.results, body.cursor === body.head]).toEqual([[], true])
    expect((await events(shop)).length).toBe(1)
  })

  test.each([
    ['types=product.updatd', 'did you mean "product.updated"?'],
    ['types=product.created,', 'empty entry'],
    ['after=abc', 'must be a cursor'],
    ['limit=1001', 'from 1 to 1000'],
    ['wait=26', 'from 0 to 25'],
  ])('returns 400 for %s', async (query, message) => {
    const { call } = await service.tenant()
    const { status, body } = await call(`/v2/events?${query}`)
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining(message)])
  })

  test('returns 409 for a cursor of another epoch or event and beyond the head, with the place to restart', async () => {
    const shop = await service.tenant()
    const other = await service.tenant()
    await post(shop, '/products', { sku: 'C-1', name: 'One' })
    await post(other, '/products', { sku: 'C-1', name: 'One' })
    const { head } = (await shop.call('/v2/events')).body
    const [epoch = '', number = '', key = '', position = ''] = head.split('.')
    const wrong = [
      ['00000000', number, key, position],
      [epoch, number, '00000000', position],
      [epoch, number, key, '2'],
      [epoch, '2', key, position],
    ].map((parts) => parts.join('.'))
    for (const cursor of [...wrong, (await other.call('/v2/events')).body.head])
      for (const path of ['events', 'events/stream']) {
        const { status, body } = await shop.call(`/v2/${path}?after=${cursor}`)
        expect([status, body.code], cursor).toEqual([409, 'feed_restarted'])
        expect(body.detail).toContain(`with after=0`)
        expect(body.detail).toContain(head)
      }
  })
})

test('an export plus the events after its cursor equals the catalog, whatever is written during the export', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  const write = (sku: string, price: number) => post(shop, '/products/bulk', [{ sku, name: 'Copied', price }])
  for (const sku of ['A', 'B', 'C']) await write(sku, 1)
  const writing = (async () => {
    for (let price = 2; price < 12; price += 1) await write(price % 2 === 0 ? 'A' : `N-${price}`, price)
  })()
  const { text, headers } = await shop.call('/v2/products/export')
  await writing
  const copy = new Map<string, unknown>()
  for (const line of text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one)))
    copy.set(line.sku, line.price)
  for (const { data } of await events(shop, `after=${headers.get('catalog-cursor')}`))
    copy.set(data.sku ?? '', data.after?.['price'])
  const { body } = await shop.call('/v2/products?expand=detail&page_size=100')
  const now = body.results.map(({ sku, price }: { sku: string; price: number }) => [sku, price])
  expect([...copy].toSorted()).toEqual(now.toSorted())
  const { headers: head } = await shop.call('/v2/products/export', { method: 'HEAD' })
  expect(head.get('catalog-cursor')).toBe((await shop.call('/v2/events')).body.head)
})

describe('a waiting poll', () => {
  test('returns when this service or another process writes', async () => {
    const shop = await service.tenant()
    for (const write of [
      () => post(shop, '/products', { sku: 'P-1', name: 'Here' }),
      () =>
        service.database.query(sql`
          insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids)
          values (${shop.project}, 2, gen_random_uuid(), 'category.created', now(), 'tester', 'cli', '{1}')`),
    ]) {
      const { cursor } = (await shop.call('/v2/events')).body
      const waiting = shop.call(`/v2/events?after=${cursor}&wait=25`)
      const began = performance.now()
      await write()
      expect((await waiting).body.results.length).toBe(1)
      // A poll that is not woken returns after 25 seconds.
      expect(performance.now() - began).toBeLessThan(20_000)
    }
  })

  test('uses one of 20 slots of its project, which is released when its client disconnects', async () => {
    const shop = await service.tenant()
    const hangUp = new AbortController()
    onTestFinished(() => hangUp.abort())
    const headers = { authorization: `Bearer ${shop.token}` }
    const waiting = Array.from({ length: 21 }, async () => {
      const { status } = await fetch(`${service.url}/v2/events?wait=25`, { headers, signal: hangUp.signal })
      return status
    })
    expect(await Promise.race(waiting)).toBe(429)
    const { status, headers: sent, body } = await shop.call('/v2/events/stream')
    expect([status, body.code, sent.get('retry-after')]).toEqual([429, 'rate_limited', '5'])
    expect((await shop.call('/v2/events')).status).toBe(200)
    hangUp.abort()
    await Promise.allSettled(waiting)
    await expect.poll(async () => (await shop.call('/v2/events/stream')).status).toBe(200)
  })

  test('holds no database connection, nor does a stream: reads succeed while 19 of them wait', {
    tags: 'slow',
  }, async () => {
    const shop = await service.tenant()
    const small = await startTestService({ poolSize: minConnections })
    const hangUp = new AbortController()
    onTestFinished(() => hangUp.abort())
    const headers = { authorization: `Bearer ${shop.token}` }
    const wait = (path: string) => fetch(small.url + path, { headers, signal: hangUp.signal })
    const streams = await Promise.all(Array.from({ length: 10 }, () => wait('/v2/events/stream')))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const polls = Array.from({ length: 9 }, () => wait('/v2/events?wait=25').catch(() => undefined))
    const answer = await small.call('/v2/products', { token: shop.token })
    expect([answer.status, await Promise.race([...polls, 'waiting'])]).toEqual([200, 'waiting'])
  })
})

type Message = { id?: string; event?: string; data?: string }

/** Reads a stream message by message, without comments and the first message, which has only the cursor. */
async function* messages(
  { token }: Tenant,
  query = '',
  headers: Record<string, string> = {},
  url = service.url,
) {
  const hangUp = new AbortController()
  onTestFinished(() => hangUp.abort())
  const response = await fetch(`${url}/v2/events/stream?${query}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip', ...headers },
    signal: hangUp.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(response.headers.get('content-encoding')).toBeNull()
  let text = ''
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const lines = part.split('\n').map((line) => line.split(/: (.*)/s))
      const message: Message = Object.fromEntries(lines)
      yield message
    }
  }
}

/** The next message with data. */
async function next(stream: AsyncGenerator<Message>): Promise<Message> {
  for await (const message of { [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) })
    if (message.data !== undefined) return message
  throw new Error('the stream has ended')
}

describe('a stopping service', () => {
  test('completes waiting polls and ends streams with a reason', async () => {
    const shop = await service.tenant()
    const stopping = await startService({
      config: loadConfig({ port: 0, logLevel: 'silent' }, {}),
      connection: inject('connection'),
      rateLimits: rateLimitMemory(),
      timeLimits: { ...timeLimits, politeMilliseconds: 0 },
    })
    const headers = { authorization: `Bearer ${shop.token}` }
    const stream = messages(shop, '', {}, stopping.url)
    await stream.next()
    const waiting = fetch(`${stopping.url}/v2/events?wait=25`, { headers })
    // A request sent after the poll returns only once the poll has begun.
    await fetch(`${stopping.url}/v2/events`, { headers })
    const [answer, closing] = await Promise.all([waiting, next(stream), stopping.drain()])
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect([closing.event, JSON.parse(closing.data ?? '').code]).toEqual(['closing', 'not_ready'])
  })
})

describe('a stream', () => {
  /** 65 such products exceed the socket buffers of a client that does not read. */
  const description = 'x'.repeat(100_000)

  test('sends new events as they occur, and resumes after Last-Event-ID', async () => {
    const shop = await service.tenant()
    await post(shop, '/products', { sku: 'T-0', name: 'Before' })
    await events(shop)
    const stream = messages(shop)
    expect((await stream.next()).value).toEqual({ retry: '2000', id: expect.stringMatching(/\.1\./) })
    await post(shop, '/products', { sku: 'T-1', name: 'One' })
    const first = await next(stream)
    await post(shop, '/products', { sku: 'T-2', name: 'Two' })
    const second = await next(stream)
    const [, one, two] = await events(shop)
    expect([first, second]).toEqual(
      [one, two].map((event) => ({
        id: event?.cursor,
        event: 'product.created',
        data: JSON.stringify(event),
      })),
    )
    const resumed = messages(shop, 'after=0', { 'last-event-id': first.id ?? '' })
    expect(await next(resumed)).toEqual(second)
    const filtered = messages(shop, 'after=0&types=product.updated')
    await post(shop, `/products/${one?.data.id}`, { price: 1 }, 'PATCH')
    expect((await next(filtered)).event).toBe('product.updated')
  })

  test('counts as one request for the rate limit, however much it sends', async () => {
    const shop = await service.tenant()
    // The burst of the limit is twenty requests.
    await changeProject(service.database, { name: 'tester' }, shop.project, { rateLimit: '10' })
    const stream = messages(shop)
    await stream.next()
    const events = 60
    await service.database.query(sql`
      insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids)
      select ${shop.project}, number, gen_random_uuid(), 'category.created', now(), 'tester', 'cli', '{1}'
      from generate_series(1, ${events}::int) as number`)
    for (let count = 0; count < events; count += 1)
      expect((await next(stream)).event).toBe('category.created')
    expect((await shop.call('/v2/events')).status).toBe(200)
  })

  test('stays open while idle, and ends if its client stops reading', { tags: 'slow' }, async () => {
    const usual = memoryBudget()
    const impatient = await startTestService({}, undefined, {
      responseMilliseconds: 200,
      memory: { ...usual, events: { ...usual.events, most: 2 } },
    })
    const shop = await service.tenant()
    const quiet = messages(shop, 'types=product.stock_changed', {}, impatient.url)
    await quiet.next()
    const lines = Array.from({ length: 65 }, (_, index) => ({
      sku: `L-${index}`,
      name: 'Large',
      description,
    }))
    const { results } = await post(shop, '/products/bulk', lines)
    const { hostname, port } = new URL(impatient.url)
    const unread = connect(Number(port), hostname).on('error', () => {})
    onTestFinished(() => void unread.destroy())
    const request = ['GET /v2/events/stream?after=0 HTTP/1.1', 'Host: localhost']
    unread.write(`${request.join('\r\n')}\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`)
    await once(unread, 'readable')
    const third = async () => (await impatient.call('/v2/events/stream', { token: shop.token })).status
    expect(await third()).toBe(429)
    await expect.poll(third).toBe(200)
    await post(shop, `/products/${results[0].id}/inventory/adjust`, { delta: 1, reason: 'Count' })
    expect((await next(quiet)).event).toBe('product.stock_changed')
  })

  test.each([
    ['token is revoked', 'invalid_token', ({ tokenId }: Tenant) => revokeTokenRow(service.database, tokenId)],
    [
      'project loses API access',
      'api_access_locked',
      ({ project }: Tenant) =>
        service.database.query(sql`update projects set api_access = 'off' where id = ${project}`),
    ],
  ])('ends with a reason when its %s, and beats until then', async (_, code, end) => {
    const shop = await service.tenant()
    const stream = messages(shop)
    await stream.next()
    expect((await stream.next()).value).toEqual({ '': undefined })
    await end(shop)
    const { event, data = '' } = await next(stream)
    expect([event, JSON.parse(data).code]).toEqual(['closing', code])
    expect((await stream.next()).done).toBe(true)
  })
})
