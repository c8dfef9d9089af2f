import type { FastifyRequest } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import {
  sharedTestService,
  startTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from '../../../../test/harness.ts'
import { webhookLimits } from '../../../delivery/limits.ts'
import { minConnections } from '../../database/connections/connection-classes.ts'
import { sql } from '../../database/sql.ts'
import { requireMetricsAccess } from './access.ts'
import { bounds, countedStatuses, openSharedCounters, sharedCountersMemory } from './shared-counters.ts'

const metricsToken = 'metrics-token-of-the-operator'
let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({ metricsToken })
  shop = await service.tenant()
})

const scrape = () => service.call('/metrics')

/** The value of a series in the text; 0 if it is missing. */
async function value(series: string): Promise<number> {
  const line = (await scrape()).text.split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.slice(series.length) ?? 0)
}

const requests = (method: string, route: string, status: number | string) =>
  `catalog_http_requests_total{method="${method}",route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  test('is text that Prometheus reads: each family with HELP and TYPE, each line a number', async () => {
    await shop.call('/v2/products')
    const { status, headers, text } = await scrape()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text.endsWith('\n')).toBe(true)
    let family = ''
    for (const line of text.trimEnd().split('\n')) {
      const [, named] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? []
      if (named !== undefined) family = named
      else if (!line.startsWith('# HELP ')) {
        expect(line).toMatch(/^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$/)
        expect(line.startsWith(family)).toBe(true)
      }
    }
  })

  test('counts by route pattern, method and status', async () => {
    const series = [
      requests('GET', '/v2/products/:id', 404),
      requests('HEAD', '/v2/products', 200),
      requests('GET', '/v2/products', 200),
      requests('GET', '/v2/products', 401),
      requests('POST', '/api/products', 422),
    ]
    const before = await Promise.all(series.map(value))
    for (const id of [111, 222, 333]) await shop.call(`/v2/products/${id}`)
    await shop.call('/v2/products', { method: 'HEAD' })
    await shop.call('/v2/products?page_size=1')
    await service.call('/v2/products')
    await shop.call('/api/products', { method: 'POST', body: {} })
    const after = await Promise.all(series.map(value))
    expect(after.map((count, index) => count - (before[index] as number))).toEqual([3, 1, 1, 1, 1])
  })

  test('requests without a route share one series, so that clients cannot create series', async () => {
    const before = await value(requests('any', 'unknown', 404))
    for (const path of ['/nothing', '/v2/nothing', `/${shop.token}`, '/a"b']) await service.call(path)
    expect(await value(requests('any', 'unknown', 404))).toBe(before + 4)
    expect((await scrape()).text).not.toMatch(/nothing|cat_/)
  })

  test('reports request durations in cumulative buckets', async () => {
    await shop.call('/v2/project')
    const { text } = await scrape()
    const name = 'catalog_http_request_duration_seconds'
    const counts = [
      ...text.matchAll(
        new RegExp(`${name}_bucket\\{method="GET",route="/v2/project",le="[^"]+"\\} (\\d+)`, 'g'),
      ),
    ].map(([, count]) => Number(count))
    expect(counts).toHaveLength(bounds.length + 1)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(await value(`${name}_count{method="GET",route="/v2/project"}`))
    expect(await value(`${name}_sum{method="GET",route="/v2/project"}`)).toBeGreaterThan(0)
  })

  test('reports the database, the pool, the event loop and the process', async () => {
    expect(await value('catalog_database_up{server="embedded"}')).toBe(1)
    await expect.poll(() => value('catalog_database_connections')).toBeGreaterThan(0)
    await expect.poll(() => value('catalog_event_loop_lag_seconds_count')).toBeGreaterThan(2)
    expect(await value('catalog_workers')).toBe(1)
    expect(await value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(await value('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(Math.abs((await value('process_start_time_seconds')) - Date.now() / 1000)).toBeLessThan(300)
  })

  test('waits for no connection: catalog_database_up is 0 while every connection for reads is taken', {
    tags: 'slow',
  }, async () => {
    const small = await startTestService({ poolSize: minConnections, statementTimeoutSeconds: 20 })
    const { token } = await small.tenant()
    const blocked: Promise<TestResponse>[] = []
    await service.database.transaction(async (tx) => {
      await tx.query(sql`lock table tokens in access exclusive mode`)
      for (const path of ['/v2/prompts', '/api/prompts']) blocked.push(small.call(path, { token }))
      const text = async () => (await small.call('/metrics')).text
      await expect.poll(text).toMatch(/^catalog_database_waiting [1-9]/m)
      // The lock stays until this is answered: one that waited for a connection would never be.
      expect((await small.call('/metrics')).text).toContain('catalog_database_up{server="embedded"} 0')
    })
    expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual([200, 200])
  })
})

test('counts jobs by kind and state, reports how long the oldest has been due, and counts runs', {
  tags: 'slow',
}, async () => {
  const own = await startTestService({}, await ownDatabase('job_metrics'), {
    webhookLimits: { ...webhookLimits, webhooksAtOnce: 0 },
  })
  const read = async () => {
    const { text } = await own.call('/metrics')
    return (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      )
  }
  const before = await read()
  for (const kind of ['webhook.deliver', 'proposal.prepare', 'quality.score', 'upkeep']) {
    expect(before(`catalog_jobs{kind="${kind}",state="failed"}`)).toBe(0)
    expect(before(`catalog_job_oldest_due_seconds{kind="${kind}"}`)).toBeGreaterThanOrEqual(0)
  }
  // Only a service with a schedule has backups to make.
  expect(before('catalog_jobs{kind="backup",state="due"}')).toBeNaN()
  // No place is free for deliveries here.
  await own.database.query(sql`
    insert into jobs (project_id, kind, key, due_at, failed_at)
    select 1, 'webhook.deliver', number::text, now() - number * interval '1 hour', case when number = 9 then now() end
    from unnest(array[1, 2, 9]) as number`)
  const after = await read()
  expect(after('catalog_jobs{kind="webhook.deliver",state="due"}')).toBe(2)
  expect(after('catalog_jobs{kind="webhook.deliver",state="failed"}')).toBe(1)
  const oldest = after('catalog_job_oldest_due_seconds{kind="webhook.deliver"}')
  expect([oldest >= 7_200, oldest < 3 * 3_600]).toEqual([true, true])
  await expect
    .poll(async () => (await read())('catalog_job_runs_total{kind="upkeep",result="again"}'))
    .toBeGreaterThan(0)
  expect((await read())('catalog_job_runs_total{kind="upkeep",result="failed"}')).toBe(0)
})

describe('who may read metrics', () => {
  const from = (headers: Record<string, string>): Promise<TestResponse> =>
    service.call('/metrics', { headers })

  test.each([
    [{ 'x-forwarded-for': '203.0.113.7' }],
    [{ 'x-forwarded-for': '127.0.0.1, 203.0.113.7' }],
    [{ 'x-forwarded-for': '203.0.113.7, 127.0.0.1' }],
    [{ 'x-forwarded-for': 'unknown' }],
    [{ 'x-forwarded-for': '' }],
    [{ forwarded: 'for=127.0.0.1' }],
    [{ via: '1.1 proxy' }],
    [{ 'x-real-ip': '127.0.0.1' }],
  ])('a stranger behind a proxy on this machine, %j: 403', async (headers) => {
    const { status, body } = await from(headers)
    expect([status, body.code]).toEqual([403, 'metrics_restricted'])
  })

  test('a proxy that forwards a client of this machine', async () => {
    expect((await from({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(200)
    expect((await from({ 'x-forwarded-for': '::1, ::ffff:127.0.0.1' })).status).toBe(200)
  })

  test('a stranger with the metrics token, and with no other', async () => {
    const stranger = { 'x-forwarded-for': '203.0.113.7' }
    const status = async (authorization: string) => (await from({ ...stranger, authorization })).status
    expect(await status(`Bearer ${metricsToken}`)).toBe(200)
    expect(await status(`bearer ${metricsToken}`)).toBe(200)
    for (const wrong of [metricsToken.slice(0, -1), `${metricsToken}x`, shop.token, 'undefined'])
      expect(await status(`Bearer ${wrong}`)).toBe(403)
    expect(await status(metricsToken)).toBe(403)
  })

  test('without a metrics token no token opens it', async () => {
    const closed = await sharedTestService()
    const headers = { 'x-forwarded-for': '203.0.113.7', authorization: 'Bearer undefined' }
    expect((await closed.call('/metrics', { headers })).status).toBe(403)
  })

  test.each([
    ['127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['192.168.1.5', false],
    ['::ffff:192.168.1.5', false],
    ['fe80::1', false],
    [undefined, false],
  ])('a peer at %s, whatever it says of itself', (remoteAddress, allowed) => {
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    const ask = () =>
      requireMetricsAccess(
        { socket: { remoteAddress }, headers, hostname: 'localhost' } as unknown as FastifyRequest,
        undefined,
      )
    if (allowed) expect(ask).not.toThrow()
    else expect(ask).toThrow()
  })
})

describe('the shared counters', () => {
  test('adds up what the workers wrote, and a replaced worker goes on where the last one was', () => {
    const memory = sharedCountersMemory(2)
    openSharedCounters(memory, 0).countRequest(7, 200, 0.002)
    openSharedCounters(memory, 1).countRequest(7, 200, 0.3)
    openSharedCounters(memory, 1).countRequest(7, 599, 60)
    openSharedCounters(memory, 0, ['a', 'b']).countRun('b', 'failed')
    openSharedCounters(memory, 0).samplePool(3, 2, 1)
    openSharedCounters(memory, 1).samplePool(4, 4, 0)
    const totals = openSharedCounters(memory, 0, ['a', 'b']).totals()
    expect(totals.runs.map(({ kind, counts }) => [kind, ...counts])).toEqual([
      ['a', 0, 0, 0, 0],
      ['b', 0, 0, 1, 0],
    ])
    const { byStatus, duration } = totals.row(7)
    expect([byStatus[countedStatuses.indexOf(200)], byStatus[countedStatuses.length]]).toEqual([2, 1])
    expect(duration.buckets.reduce((sum, count) => sum + count)).toBe(3)
    expect(duration.buckets.at(-1)).toBe(1)
    expect(duration.sum).toBeCloseTo(60.302)
    expect(totals.pool).toEqual({ total: 7, idle: 6, waiting: 1 })
    expect(totals.row(6).duration.sum).toBe(0)
  })
})
