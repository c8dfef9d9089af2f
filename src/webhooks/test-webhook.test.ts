import type pg from 'pg'
import { expect, test } from 'vitest'
import { startTestService } from '../../test/harness.ts'
import { ownDatabase } from '../../test/test-database.ts'
import { startReceiver } from '../../test/webhook-receiver.ts'
import { sql } from '../database/sql.ts'
import { openLog } from '../http/request-log.ts'
import { webhookJobs } from './delivery/delivery-jobs.ts'
import { secretBox } from './encrypted-secret.ts'
import { webhookLimits } from './webhook-limits.ts'
import { webhookSender } from './webhook-sender.ts'

const allowed = ['127.0.0.0/8']

/** A service of its own, and a webhook with one event to deliver. */
async function serviceWithWebhook(limits: Partial<typeof webhookLimits>, connection?: pg.ClientConfig) {
  const service = await startTestService({ webhookAllow: allowed }, connection, {
    webhookLimits: { ...webhookLimits, ...limits },
  })
  const { call } = await service.tenant()
  const receiver = await startReceiver()
  await call('/v2/products', { method: 'POST', body: { sku: 'ONE', name: 'One' } })
  const body = { url: receiver.url, from: '0', types: ['category.*'] }
  const { id } = (await call('/v2/webhooks', { method: 'POST', body })).body
  return { service, receiver, call, at: `/v2/webhooks/${id}` }
}

test('a test of a receiver that is slow, or answers at length, tells so in time', async () => {
  const { receiver, call, at } = await serviceWithWebhook({ timeout: 100 })
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>()
  receiver.answer = () => mayAnswer
  const { body: late } = await call(`${at}/test`, { method: 'POST' })
  expect(late).toMatchObject({ delivered: false, status: null, answer: '', error: 'no answer in time' })
  expect(late.milliseconds).toBeGreaterThanOrEqual(99)
  answer(200)
  receiver.answer = () => ({ status: 200, body: 'x'.repeat(500_000) })
  const { body: long } = await call(`${at}/test`, { method: 'POST' })
  expect(long).toMatchObject({ delivered: true, status: 200, answer: 'x'.repeat(1_024) })
})

test('a service whose connections to inner networks are not refused posts nothing, and says so', async () => {
  // What it tries is allowed by mistake.
  const limits = { selfTestAllows: allowed }
  const { service, receiver, call, at } = await serviceWithWebhook(limits, await ownDatabase('off'))
  const { status, body } = await call(`${at}/test`, { method: 'POST' })
  expect([status, body.code]).toEqual([503, 'webhooks_off'])
  await call(at, { method: 'PATCH', body: { types: null } })
  const { database } = service
  const log = openLog('silent')
  const [look] = webhookJobs({
    ...{ database, log, box: secretBox(database, []), countTry: () => {}, numberEvents: async () => {} },
    sender: webhookSender(log, allowed, { ...webhookLimits, ...limits }),
  })
  await look?.run(database, AbortSignal.abort())
  expect(await database.query(sql`select from webhook_lanes where leased_by is not null`)).toEqual([])
  expect(receiver.received).toEqual([])
})
