import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { databaseProxy } from '../../../../test/database/database-proxy.ts'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { startTestService } from '../../../../test/harness.ts'
import { type Database, openDatabase } from '../database.ts'
import { listing, sql, write } from '../sql.ts'
import { shareConnections } from './connection-classes.ts'

function openWorker(connection: pg.ClientConfig): Database {
  const database = openDatabase({ connection, poolSize: shareConnections(40), statementTimeoutSeconds: 5 })
  onTestFinished(() => database.close())
  return database
}

const one = () => sql<{ one: number }>`select 1 as one`
/** Twenty queries of several classes at once. */
const ask = (database: Database) =>
  Promise.allSettled(
    Array.from({ length: 20 }, (_, turn) =>
      database.query([one(), listing(one()), write(one())][turn % 3] ?? one()),
    ),
  )

describe('a server that is away', () => {
  test('is tried a few times a second, whatever is asked, and used again when it is back', {
    tags: 'slow',
  }, async () => {
    const { proxy, hangUp, connection } = await databaseProxy(inject('connection'))
    const database = openWorker(connection)
    await ask(database)
    proxy.state = 'closed'
    hangUp()
    await expect.poll(() => database.connections().total).toBe(0)
    const before = proxy.connections
    const started = performance.now()
    const failures = new Set<unknown>()
    let refused = 0
    while (refused < 2_000 || performance.now() - started < 500) {
      for (const { status, ...outcome } of await ask(database)) {
        if (status === 'fulfilled') continue
        refused += 1
        failures.add((outcome as { reason: { failure?: string } }).reason.failure)
      }
      await nextTurn()
    }
    const seconds = (performance.now() - started) / 1000
    expect(failures).toEqual(new Set(['database_unavailable']))
    // The pauses double from 25 to 50 ms on, up to a quarter or half of a second; four may have set out at first.
    expect(proxy.connections - before).toBeGreaterThan(3)
    expect(proxy.connections - before).toBeLessThan(4 + 6 + 4 * seconds)

    proxy.state = 'open'
    await expect.poll(() => database.query(one()).catch(() => [])).toEqual([{ one: 1 }])
  })

  test('is not met by more than four new connections at once', async () => {
    const { proxy, hangUp, connection } = await databaseProxy(inject('connection'))
    const database = openWorker(connection)
    proxy.state = 'silent'
    const asked = ask(database)
    await expect.poll(() => proxy.connections).toBe(4)
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    expect(proxy.connections).toBe(4)
    hangUp()
    const reasons = (await asked).map((outcome) => outcome.status === 'rejected' && outcome.reason.failure)
    expect(new Set(reasons)).toEqual(new Set(['database_unavailable']))
  })
})

test('a connection whose server has become read-only fails with 503 once, and is replaced', {
  tags: 'slow',
}, async () => {
  const connection = await ownDatabase('readonly')
  const admin = openWorker(connection)
  const setReadOnly = (value: string) =>
    admin.session(async (client) => {
      await client.query('set default_transaction_read_only = off')
      const { rows } = await client.query('select current_database() as name')
      await client.query(`alter database ${rows[0].name} set default_transaction_read_only = ${value}`)
    })
  const service = await startTestService({}, connection)
  const shop = await service.tenant()
  await setReadOnly('on')
  const create = async (sku: string) => {
    const { status, body } = await shop.call('/api/products', { method: 'POST', body: { sku, name: sku } })
    return [status, body.code]
  }
  // The service has opened no connection for writes before.
  expect(await create('R-1')).toEqual([503, 'database_unavailable'])
  await setReadOnly('off')
  expect(await create('R-1')).toEqual([201, undefined])
})
