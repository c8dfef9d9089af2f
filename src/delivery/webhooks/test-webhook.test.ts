import { expect, test } from 'vitest'
import { startTestService } from '../../../test/harness.ts'
import { startReceiver } from '../../../test/webhook-receiver.ts'
import { webhookLimits } from '../limits.ts'

test('a test ends in time if the receiver is slow or its response is long', { tags: 'slow' }, async () => {
  const limits = { webhookLimits: { ...webhookLimits, exchangeMilliseconds: 100 } }
  const service = await startTestService({ webhookAllow: ['127.0.0.0/8'] }, undefined, limits)
  const { call } = await service.tenant()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>()
  const receiver = await startReceiver(() => mayAnswer)
  const { id } = (await call('/v2/webhooks', { method: 'POST', body: { url: receiver.url } })).body
  const runTest = async () => (await call(`/v2/webhooks/${id}/test`, { method: 'POST' })).body
  const late = await runTest()
  expect(late).toMatchObject({ delivered: false, status: null, answer: '', error: 'no response in time' })
  expect(late.milliseconds).toBeGreaterThanOrEqual(99)
  answer(200)
  receiver.respond = () => ({ status: 200, body: 'x'.repeat(500_000) })
  expect(await runTest()).toMatchObject({ delivered: true, status: 200, answer: 'x'.repeat(1_024) })
})
