import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import type { CheckContext } from './check.ts'
import { eventsCheck } from './check-events.ts'

test('changes without an event and events without a number are found and exposed as metrics', async () => {
  const service = await startTestService({}, await ownDatabase('unnumbered'))
  const { database } = service
  const shop = await service.tenant()
  const check = () => eventsCheck.run({ database } as CheckContext)
  const create = (sku: string) =>
    shop.call('/v2/products', { method: 'POST', body: { sku, name: 'Watched' } })
  const lag = async () =>
    Number(/^catalog_feed_lag_seconds (\S+)$/m.exec((await service.call('/metrics')).text)?.[1])
  expect(await check()).toMatchObject({ status: 'ok', detail: expect.stringContaining('no change') })
  for (const sku of ['A', 'B']) await create(sku)
  expect(await check()).toMatchObject({ status: 'ok', detail: expect.stringContaining('latest 2 changes') })
  await shop.call('/v2/events')
  expect(await check()).toMatchObject({ status: 'ok', detail: expect.stringContaining('latest 2 changes') })
  expect(await lag()).toBe(0)

  // Whoever numbers waits for the lock until it is given back.
  await database.transaction(async (tx) => {
    await tx.query(sql`lock table event_feed in exclusive mode`)
    await database.query(sql`
      insert into event_outbox (project_id, type, changed_at, actor, source, object_ids)
      values (${shop.project}, 'category.created', now() - interval '2 hours', 'tester', 'cli', '{1}')`)
    expect(await check()).toMatchObject({ status: 'warning', detail: expect.stringContaining('72') })
    expect(await lag()).toBeGreaterThan(7_000)
  })
  await database.query(
    sql`update event_feed set versions = '{-1}' where type = 'product.created' and number = 1`,
  )
  expect(await check()).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('1 of the latest 2 changes'),
  })
})

test('a change of any kind without an event is found', async () => {
  const service = await startTestService({}, await ownDatabase('unrecorded'))
  const { database } = service
  const shop = await service.tenant()
  const post = async (path: string, body: unknown) =>
    (await shop.call(`/v2/${path}`, { method: 'POST', body })).body.id
  const category = await post('categories', { name: 'C' })
  const prompt = await post('prompts', { name: 'P', prompt_text: 'Text' })
  await post('attributes', { name: 'color', type: 'text' })
  const proposal = await post('proposals', [{ sku: 'A', name: 'A' }])
  const check = () => eventsCheck.run({ database } as CheckContext)
  expect(await check()).toMatchObject({ status: 'ok', detail: expect.stringContaining('latest 4 changes') })
  await shop.call('/v2/events')
  for (const [type, named] of [
    ['category.created', `category ${category}`],
    ['prompt.created', `prompt ${prompt}`],
    ['attribute.created', 'version 1 of the attributes'],
    ['proposal.opened', `proposal ${proposal}`],
  ]) {
    const lost = sql`update event_feed set object_ids = '{-1}', versions = '{-1}' where type = ${type}`
    await database.query(lost)
    expect(await check()).toMatchObject({
      status: 'failure',
      detail: expect.stringContaining(named as string),
    })
  }
})
