import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { type Receiver, startReceiver } from '../../../test/webhook-receiver.ts'
import { startBackground } from '../../background.ts'
import { openDatabase } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { numberEvents } from '../../events/number-events.sql.ts'
import { openLog } from '../../http/request-log.ts'
import { secretBox } from '../encrypted-secret.ts'
import { webhookLimits } from '../webhook-limits.ts'
import { webhookSender } from '../webhook-sender.ts'
import { webhookJobs } from './delivery-jobs.ts'

const limits = {
  ...webhookLimits,
  pauses: [50, 50, 50],
  saveEvery: 50,
  lookEvery: 25,
  lease: 1_000,
  turn: 30,
}
const allowed = ['127.0.0.0/8']

let connection: pg.ClientConfig
let service: TestService
let shop: Tenant
beforeAll(async () => {
  connection = await ownDatabase('processes')
  service = await startTestService({ webhookAllow: allowed }, connection, { webhookLimits: limits })
  shop = await service.tenant()
})

/** The deliveries of another process. */
function startProcess() {
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 5 })
  const log = openLog('silent')
  const sender = webhookSender(log, allowed, limits)
  const parts = { database, box: secretBox(database, []), sender, log }
  const jobs = webhookJobs({
    ...parts,
    countTry: () => {},
    numberEvents: async (own) => void (await numberEvents(own)),
  })
  const background = startBackground(jobs, database.background, log)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= background.stop().then(async () => {
      sender.close()
      await database.close()
    })
    return stopped
  }
  whenFileEnds(stop)
  return { stop }
}

async function makeWebhook(receiver: Receiver): Promise<number> {
  const { body } = await shop.call('/v2/webhooks', { method: 'POST', body: { url: receiver.url } })
  return body.id
}

async function writeProducts(count: number, times: number): Promise<void> {
  for (let round = 1; round <= times; round += 1) {
    const body = Array.from({ length: count }, (_, place) => ({ sku: `S${place}`, name: `${Math.random()}` }))
    await shop.call('/v2/products/bulk', { method: 'POST', body })
  }
  await numberEvents(service.database)
}

const until = (what: () => unknown) => expect.poll(what, { interval: 10, timeout: 20_000 })
const ids = ({ received }: Receiver) => received.map(({ event }) => event.id)

function expectInOrder({ received }: Receiver): void {
  for (const own of Map.groupBy(received, ({ event }) => event.data.id).values()) {
    const versions = own.map(({ event }) => Number(event.data.version))
    expect(versions).toEqual([...versions].sort((one, other) => one - other))
  }
}

test('two processes deliver every event once and in order for each object, also where one of them is stopped on the way', async () => {
  const receiver = await startReceiver()
  const other = startProcess()
  await makeWebhook(receiver)
  await writeProducts(20, 5)
  await until(() => receiver.received.length).toBe(100)
  await writeProducts(20, 5)
  await until(() => receiver.received.length).toBeGreaterThan(120)
  await other.stop()
  await until(() => new Set(ids(receiver)).size).toBe(200)
  expect(receiver.received).toHaveLength(200)
  expectInOrder(receiver)
})

test('lanes of a process that is gone without a word are taken over when its lease ends', async () => {
  const times: number[] = []
  const receiver = await startReceiver(() => {
    times.push(Date.now())
    return 200
  })
  const webhook = await makeWebhook(receiver)
  await service.database.query(sql`
    update webhook_lanes set leased_by = gen_random_uuid(), leased_until = clock_timestamp() + interval '700 milliseconds'
    where webhook_id = ${webhook}`)
  const leaseEnds = Date.now() + 690
  await writeProducts(20, 1)
  await until(() => new Set(ids(receiver)).size).toBe(20)
  expect(receiver.received).toHaveLength(20)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(leaseEnds)
})
