import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { startReceiver } from '../../../test/webhook-receiver.ts'
import { sql } from '../../database/sql.ts'
import { numberEvents } from '../../events/number-events.sql.ts'
import { openLog } from '../../http/request-log.ts'
import { secretBox } from '../encrypted-secret.ts'
import { webhookLimits } from '../webhook-limits.ts'
import { webhookSender } from '../webhook-sender.ts'
import { webhookJobs } from './delivery-jobs.ts'

const allowed = ['127.0.0.0/8']
/** With these the test at the start finds that this machine would be dialled. */
const unsafe = { ...webhookLimits, selfTestAllows: allowed }

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({ webhookAllow: allowed }, await ownDatabase('jobs'), {
    webhookLimits: unsafe,
  })
  shop = await service.tenant()
})

/** The deliveries of a process, which runs no job by itself. */
function deliveries(limits: typeof webhookLimits) {
  const { database } = service
  const log = openLog('silent')
  const [job] = webhookJobs({
    ...{ database, log, box: secretBox(database, []), sender: webhookSender(log, allowed, limits) },
    ...{ countTry: () => {}, numberEvents: async (own) => void (await numberEvents(own)) },
  })
  return {
    look: () => job?.run(database, AbortSignal.abort()),
    end: () => job?.end?.(database),
  }
}

/** Of one object. */
async function makeWebhookWithEvent(url: string): Promise<string> {
  const { id } = (await shop.call('/v2/webhooks', { method: 'POST', body: { url } })).body
  await shop.call('/v2/products', { method: 'POST', body: { sku: `S-${id}`, name: 'Mug' } })
  return `/v2/webhooks/${id}`
}

const lanes = (condition = sql`true`) =>
  service.database.query(sql<{ lane: number }>`select lane from webhook_lanes where ${condition}`)

test('a service whose connections to inner networks are not refused posts nothing, and says so', async () => {
  const receiver = await startReceiver()
  const at = await makeWebhookWithEvent(receiver.url)
  const { status, body } = await shop.call(`${at}/test`, { method: 'POST' })
  expect([status, body.code]).toEqual([503, 'webhooks_off'])
  await deliveries(unsafe).look()
  expect(await lanes(sql`leased_by is not null`)).toEqual([])
  expect(receiver.received).toEqual([])
  await shop.call(at, { method: 'DELETE' })
})

test('a process that ends leaves its lanes at once, and blames no receiver that has not answered by then', async () => {
  const { promise: never } = Promise.withResolvers<number>()
  let waiting = 0
  const receiver = await startReceiver(() => {
    waiting += 1
    return never
  })
  const at = await makeWebhookWithEvent(receiver.url)
  const { look, end } = deliveries({ ...webhookLimits, stopWithin: 50 })
  await look()
  await expect.poll(() => waiting).toBe(1)
  await end()
  expect(await lanes(sql`leased_by is not null or tries > 0`)).toEqual([])
  expect((await shop.call(at)).body).toMatchObject({ state: 'enabled', last_error: null })
})
