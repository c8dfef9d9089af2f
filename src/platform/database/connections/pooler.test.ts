import { beforeEach, describe, expect, inject, test } from 'vitest'
import { startPooler, whyNoPooler } from '../../../../test/database/pgbouncer.ts'
import { startTestService } from '../../../../test/harness.ts'
import { loadConfig } from '../../../config.ts'
import { runChecks } from '../../../operations/doctor/run-checks.ts'
import { findPooling } from './pooler.ts'
import { reachServer } from './reach-server.ts'

test('a server itself is taken for no pooler', async () => {
  expect(await findPooling(inject('connection'))).toBe('none')
})

describe('fault 29: behind pgbouncer', () => {
  const why = whyNoPooler(inject('connection'))
  beforeEach(({ skip }) => skip(why !== undefined, why))

  test('a setting that it refuses is reported before the service starts', async () => {
    const databaseUrl = await startPooler(inject('connection'), ['pool_mode = session'])
    await expect(reachServer({ databaseUrl: `${databaseUrl}&statement_timeout=9` })).rejects.toThrow(
      /is a pooler that refuses the setting statement_timeout.*add it to ignore_startup_parameters/,
    )
  })

  test.each([
    ['transaction', []],
    ['transaction', ['server_round_robin = 1', 'min_pool_size = 3']],
    ['statement', []],
  ])('pooling by %s is refused, %j', async (mode, settings) => {
    const pool = [`pool_mode = ${mode}`, ...settings]
    const databaseUrl = await startPooler(inject('connection'), pool)
    await expect(reachServer({ databaseUrl })).rejects.toThrow(/pool_mode = session/)
    const checks = await runChecks(() => loadConfig({ databaseUrl }, {}))
    expect(checks.find(({ check }) => check === 'database')).toMatchObject({ status: 'failure' })
  })

  test('with session pooling the service works, and the doctor names the pooler', async () => {
    const databaseUrl = await startPooler(inject('connection'), ['pool_mode = session'])
    expect(await reachServer({ databaseUrl })).toMatchObject({ pooling: 'session' })
    const service = await startTestService({}, { connectionString: databaseUrl })
    const shop = await service.tenant()
    expect(
      (await shop.call('/v2/products', { method: 'POST', body: { sku: 'P-1', name: 'x' } })).status,
    ).toBe(201)
    expect((await shop.call('/v2/products')).body.count).toBe(1)
    const checks = await runChecks(() => loadConfig({ databaseUrl }, {}))
    expect(checks.find(({ check }) => check === 'pooler')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('with session pooling'),
    })
  })
})
