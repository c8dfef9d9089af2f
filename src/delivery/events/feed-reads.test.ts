import { connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { beginning } from '../../model/events/cursor.ts'
import { scopes } from '../../model/scopes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { openFeedReads } from './feed-reads.ts'
import { watchFeed } from './feed-watch.ts'

let service: TestService
let shop: Tenant
let other: Tenant
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('feedreads'))
  shop = await service.tenant()
  other = await service.tenant()
  for (const { call } of [shop, other])
    await call('/v2/products', { method: 'POST', body: { sku: 'F-1', name: 'Followed' } })
})

/** While it runs, feed reads wait in their first statement. */
function whileReadsWait(work: () => Promise<void>): Promise<void> {
  return service.database.transaction(async (tx) => {
    await tx.query(sql`lock table restores in access exclusive mode`)
    await work()
  })
}
const reading = async () => {
  const [row] = await service.database.query(sql<{ count: number }>`
    select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
    where relation = 'restores'::regclass and not granted and query like '%event_numbering%'`)
  return row?.count
}
const poll = ({ call }: Tenant) => call('/v2/events?after=0&limit=1000')

/** A stream from the beginning, and everything that it has sent so far. */
function stream({ token }: Tenant): { text: string } {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(
    `GET /v2/events/stream?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  const sent = { text: '' }
  socket.on('data', (bytes) => {
    sent.text += bytes
  })
  return sent
}

describe('feed reads', () => {
  test('run two at a time per project, without delaying other projects', async () => {
    let all: Promise<unknown[]> = Promise.resolve([])
    await whileReadsWait(async () => {
      all = Promise.all(Array.from({ length: 12 }, () => poll(shop)))
      await expect.poll(reading).toBe(2)
      const apart = poll(other)
      await expect.poll(reading).toBe(3)
      all = Promise.all([all, apart])
    })
    expect((await all).flat()).toMatchObject(Array(13).fill({ status: 200 }))
  })

  test('share these slots with streams', async () => {
    const streams = [stream(shop), stream(shop), stream(shop)]
    const allHave = (text: string) =>
      expect.poll(() => streams.every((sent) => sent.text.includes(text))).toBe(true)
    await allHave('"F-1"')
    let polled: Promise<unknown> = Promise.resolve()
    await whileReadsWait(async () => {
      await shop.call('/v2/products', { method: 'POST', body: { sku: 'F-2', name: 'Followed' } })
      await expect.poll(reading).toBe(2)
      polled = poll(shop)
      // Enough time for the third stream and the poll to fail.
      await shop.call('/v2/products/by-sku/F-2')
      expect(await reading()).toBe(2)
    })
    await allHave('"F-2"')
    expect(await polled).toMatchObject({ status: 200 })
  })

  test('of disconnected clients do not start, or end before their next statement', async () => {
    let statements = 0
    const { promise: isBlocked, resolve: unblock } = Promise.withResolvers<void>()
    const counted: Queryable = {
      async query(statement) {
        statements += 1
        const rows = await service.database.query(statement)
        await isBlocked
        return rows
      },
    }
    const watch = watchFeed(service.database, { most: 10, maxPerProject: 10 })
    const readFeed = openFeedReads(counted, watch, { most: 2, maxPerProject: 2, maxWaitSeconds: 0 })
    const page = { limit: 1000, mostBytes: 1_000_000, baseUrl: () => '' }
    const asked = { after: beginning, types: undefined, scopes, ...page }
    const clients = Array.from({ length: 50 }, () => new AbortController())
    const reads = clients.map(({ signal }) => readFeed(other.project, asked, signal).catch((error) => error))
    await expect.poll(() => statements).toBe(2)
    for (const client of clients) client.abort(new Error('left'))
    unblock()
    for (const result of await Promise.all(reads)) expect(result).toMatchObject({ message: 'left' })
    expect(statements).toBe(2)
    const stayed = await readFeed(other.project, asked, new AbortController().signal)
    expect(stayed.results).toHaveLength(1)
  })
})
