import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { openDatabase } from './database.ts'
import { failureOf } from './failures.ts'
import { raw, sql } from './sql.ts'

const internalStates = ['XX000', 'XX001', 'XX002']

describe.each(internalStates)('a statement that fails with %s', (state) => {
  test('fails alone: the database is not away, and the connection stays', async () => {
    const database = openDatabase({
      connection: await ownDatabase('failures'),
      poolSize: 1,
      statementTimeoutSeconds: 5,
    })
    const backend = () => database.query(sql<{ pid: number }>`select pg_backend_pid() as pid`)
    const before = await backend()
    const broken = raw(`do $$ begin raise exception 'broken' using errcode = '${state}'; end $$`)
    await expect(database.query(broken)).rejects.toMatchObject({ code: state })
    await expect(database.transaction((tx) => tx.query(broken))).rejects.toMatchObject({ code: state })
    expect(await backend()).toEqual(before)
    await database.close()
  })

  test('is an outage where it ended the connection', () => {
    const ended = Object.assign(new Error('gone'), { code: state, severity: 'FATAL' })
    expect(failureOf(ended)).toBe('database_unavailable')
  })
})

describe('a write that meets an internal error of the server', () => {
  let service: TestService
  let shop: Tenant
  beforeAll(async () => {
    service = await startTestService({}, await ownDatabase('failures'))
    shop = await service.tenant()
    await service.database.transaction((tx) =>
      tx.script(`
        create function break_one() returns trigger language plpgsql as $$
        begin raise exception 'broken' using errcode = 'XX000'; end $$;
        create trigger break_one before insert on products for each row when (new.sku = 'BROKEN') execute function break_one()`),
    )
  })

  test('is an internal error by itself, and the writes that share its statement succeed', async () => {
    const create = (sku: string) =>
      shop.call('/v2/products', { method: 'POST', body: { sku, name: 'Product' } })
    const responses = await Promise.all(['A', 'B', 'BROKEN', 'C', 'D'].map(create))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 500, 201, 201])
    expect(responses[2]?.body.code).toBe('internal_error')
  })
})
