import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type Tenant, type TestResponse, type TestService } from '../../../test/harness.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { dataFolderOfFile } from '../../../test/setup/temporary-folder.ts'
import { countRequests } from '../../access/usage/count-requests.ts'
import type { Database } from './database.ts'
import { leaseEmbeddedServer } from './embedded/lease.ts'
import { raw, sql } from './sql.ts'

let service: TestService
let hasty: TestService
let shop: Tenant
beforeAll(async () => {
  const { connection, release } = await leaseEmbeddedServer(dataFolderOfFile())
  whenFileEnds(release)
  service = await startTestService({}, connection)
  const silent = { ...connection, options: '-c client_min_messages=error' }
  hasty = await startTestService({ statementTimeoutSeconds: 1 }, silent)
  shop = await service.tenant()
})

async function setStandbys(database: Database, names: string): Promise<void> {
  await database.session(async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${names}'`)
    await client.query('select pg_reload_conf()')
  })
  const shown = raw(
    `select from pg_settings where name = 'synchronous_standby_names' and setting = '${names}'`,
  )
  await expect.poll(async () => (await database.query(shown)).length).toBe(1)
  if (names !== '') await untilCommitsWait(database)
}

/** The server applies the setting shortly after it shows it. */
async function untilCommitsWait(database: Database): Promise<void> {
  const cancelWaits = raw(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  await expect
    .poll(async () => {
      let hasWaited = false
      const trial = database.session((client) => client.query('select pg_current_xact_id()'))
      const isOver = trial.then(
        () => true,
        () => true,
      )
      while (!(await Promise.race([isOver, sleep(10)])))
        if ((await database.query(cancelWaits)).length > 0) hasWaited = true
      return hasWaited
    })
    .toBe(true)
}

/** Runs the work while commits wait for a standby that is not there, and ends each wait by the given function of the server. */
async function withoutStandby<Result>(
  work: () => Promise<Result>,
  end: 'pg_cancel_backend' | 'pg_terminate_backend' | 'nobody' = 'pg_cancel_backend',
): Promise<Result> {
  const { database } = service
  await setStandbys(database, 'nobody')
  try {
    const settled = Promise.allSettled([work()])
    const isSettled = settled.then(() => true)
    await expect
      .poll(async () => {
        if (end !== 'nobody')
          await database.query(
            sql`select ${raw(end)}(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
          )
        return Promise.race([isSettled, sleep(20)])
      })
      .toBe(true)
    const [outcome] = await settled
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  } finally {
    await setStandbys(database, '')
  }
}

const post = (path: string, body: unknown, key?: string, tenant = shop) =>
  tenant.call(path, {
    method: 'POST',
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const postHastily = (sku: string) =>
  hasty.call('/api/products', {
    method: 'POST',
    token: shop.token,
    body: { sku, name: 'x' },
    headers: { 'idempotency-key': sku },
  })
const problemOf = ({ status, body, headers }: TestResponse) => [status, body.code, headers.get('retry-after')]
const unknown = [503, 'outcome_unknown', '2']
const countOf = async (sku: string) => (await shop.call(`/api/products?sku__in=${sku}`)).body.count

describe('a write whose wait for the standby was canceled', () => {
  test('is 503 outcome_unknown until a standby has it, and then its Idempotency-Key returns the stored response', async () => {
    const create = () => post('/api/products', { sku: 'U-1', name: 'Once' }, 'unknown-1')
    for (const _ of [1, 2]) expect(problemOf(await withoutStandby(create))).toEqual(unknown)
    const again = await create()
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  })

  test('is so where the address of the database silences warnings', async () => {
    expect(problemOf(await withoutStandby(() => postHastily('U-2')))).toEqual(unknown)
  })

  test('is reported for each write of a shared transaction, and none is applied twice', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `together ${number}`)
    const products = await Promise.all(
      names.map(async (name, number) => (await post('/api/products', { sku: `T-${number}`, name })).body),
    )
    const change = (id: number) =>
      shop.call(`/api/products/${id}`, { method: 'PATCH', body: { name: 'Changed' } })
    const answers = await withoutStandby(() => Promise.all(products.map(({ id }) => change(id))))
    for (const answer of answers) expect(problemOf(answer)).toEqual(unknown)
    const now = await Promise.all(
      products.map(async ({ id }) => (await shop.call(`/api/products/${id}`)).body),
    )
    expect(now.map(({ name, version }) => [name, version])).toEqual(names.map(() => ['Changed', 2]))
  })

  test('is so for a push and for the apply of a proposal, which may both be repeated', async () => {
    const lines = ['P-1', 'P-2'].map((sku) => ({ sku, name: 'Pushed' }))
    for (const _ of [1, 2])
      expect(problemOf(await withoutStandby(() => post('/api/products/bulk', lines)))).toEqual(unknown)
    expect((await post('/api/products/bulk', lines)).body.summary).toMatchObject({ unchanged: 2, created: 0 })

    const { body: proposal } = await post('/api/proposals', [{ sku: 'P-1', name: 'Better' }])
    const apply = () => post(`/api/proposals/${proposal.id}/apply`, {})
    for (const _ of [1, 2]) expect(problemOf(await withoutStandby(apply))).toEqual(unknown)
    expect((await apply()).body).toMatchObject({ state: 'applied' })
  })

  test('in the background is not counted a second time', async () => {
    const { project } = await service.tenant()
    const usage = countRequests()
    usage.count(project)
    const flush = () => usage.flush(service.database.background)
    await expect(withoutStandby(flush)).rejects.toMatchObject({ failure: 'outcome_unknown' })
    usage.count(project)
    await flush()
    const counted = sql<{
      requests: number
    }>`select requests from project_usage where project_id = ${project}`
    expect(await service.database.query(counted)).toEqual([{ requests: 2 }])
  })
})

describe('a write whose connection broke', () => {
  test('while its commit was under way is 503 outcome_unknown', async () => {
    const answer = await withoutStandby(
      () => post('/api/products', { sku: 'B-1', name: 'x' }),
      'pg_terminate_backend',
    )
    expect(problemOf(answer)).toEqual(unknown)
    expect(await countOf('B-1')).toBe(1)
  })

  test.each(['ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])(
    'by %s has an unknown outcome',
    async (code) => {
      const broken = service.database.session(async (client) => {
        const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
        const statement = client.query('select pg_sleep(60)')
        stream.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }))
        await statement
      })
      await expect(broken).rejects.toMatchObject({ failure: 'outcome_unknown' })
    },
  )

  test('before its commit was sent is 503 database_unavailable, and was not applied', async () => {
    const inventory = { quantity: 1 }
    const { body: product } = await post('/api/products', { sku: 'B-2', name: 'x', inventory })
    const path = `/api/products/${product.id}`
    const ended = sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`
    const answer = await service.database.transaction(async (tx) => {
      await tx.query(sql`select from products where id = ${product.id} for update`)
      const adjusting = post(`${path}/inventory/adjust`, { delta: 5, reason: 'Delivery' }, 'broken')
      await expect.poll(() => service.database.query(ended)).toHaveLength(1)
      return adjusting
    })
    expect(problemOf(answer)).toEqual([503, 'database_unavailable', '2'])
    expect((await shop.call(path)).body.inventory.quantity).toBe(1)
  })

  test('or hangs longer than the statement timeout and a second is 503 outcome_unknown', async () => {
    const started = performance.now()
    const hang = () => postHastily('B-3')
    expect(problemOf(await withoutStandby(hang, 'nobody'))).toEqual(unknown)
    expect(performance.now() - started).toBeLessThan(6_000)
    await expect.poll(() => countOf('B-3')).toBe(1)
  })

  test('while others come again and again takes no more connections of the server than its class has', async () => {
    const waiting = sql`select from pg_stat_activity where wait_event = 'SyncRep'`
    const statuses = new Set<number>()
    const backends = await withoutStandby(async () => {
      for (const round of [1, 2, 3]) {
        const skus = Array.from({ length: 10 }, (_, number) => `B-4-${round}-${number}`)
        for (const { status } of await Promise.all(skus.map(postHastily))) statuses.add(status)
      }
      return service.database.query(waiting)
    }, 'nobody')
    expect(statuses).toEqual(new Set([503]))
    // Two of the writes of a project, and the background work of two services.
    expect(backends.length).toBeLessThanOrEqual(4)
    await expect.poll(() => service.database.query(waiting)).toEqual([])
  })
})
