import { createInterface } from 'node:readline'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import { sharedTestService, type Tenant } from '../../../../test/harness.ts'
import { spawnCatalog } from '../../../../test/processes/catalog-process.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'

const own = { DATABASE_URL: connectionUrl(inject('connection')) }
const { catalog, catalogJson } = commandRunner({ ...own, CATALOG_WEBHOOK_ALLOW: '127.0.0.0/8' })
let shop: Tenant
beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
})

const webhook = (...args: string[]) => ['webhook', ...args, '--project', String(shop.project)]
const addProduct = (sku: string) => shop.call('/v2/products', { method: 'POST', body: { sku, name: 'Mug' } })

test('a webhook is created, tested, changed, rotated, replayed, disabled, enabled and deleted by commands', async () => {
  const receiver = await startReceiver(() => ({ status: 202, body: 'thanks' }))
  const made = await catalogJson(webhook('create', '--url', receiver.url, '--types', 'product.*'))
  expect(made).toMatchObject({
    url: receiver.url,
    types: ['product.*'],
    secret: expect.stringMatching(/^whsec_/),
  })
  const id = String(made.id)
  receiver.secrets = [made.secret]
  expect(await catalogJson(webhook('test', id))).toMatchObject({
    delivered: true,
    status: 202,
    answer: 'thanks',
  })
  const { secret } = await catalogJson(webhook('rotate', id, '--overlap', '1h'))
  receiver.secrets = [secret]
  await catalogJson(webhook('test', id))
  expect([receiver.received.length, receiver.unverified]).toEqual([2, 0])
  expect(await catalogJson(webhook('set', id, '--types', 'all'))).toMatchObject({ types: null })
  expect((await catalog(webhook('list'))).stdout).toMatch(
    /^id +url +types +state .*\n\d+ +http\S+ +all +enabled /,
  )
  const replayed = await catalogJson(webhook('replay', id, '--from', '2020-01-31T12:00:00Z'))
  expect(replayed).toMatchObject({ id: made.id, state: 'enabled' })
  const disabled = await catalogJson(webhook('disable', id))
  expect(disabled).toMatchObject({ state: 'disabled', disabled_reason: 'by_hand' })
  expect((await catalogJson(webhook('enable', id))).state).toBe('enabled')
  expect(await catalogJson(webhook('attempts', id, '--failed'))).toEqual([])
  expect(await catalogJson(webhook('parked', id))).toEqual([])
  expect(await catalogJson(webhook('retry', id))).toEqual({ retrying: 0 })
  expect(await catalogJson(webhook('delete', id))).toEqual({ id: made.id, deleted: true })
  expect((await catalog(webhook('show', id))).stderr).toContain(`no webhook ${id}`)
})

test.each([
  [['create', '--url', 'http://shop.example/'], 'url must start with https://'],
  [['create', '--url', 'http://localhost:9000/'], 'catalog serve --webhook-allow 127.0.0.0/8'],
  [['create', '--url', 'https://10.0.0.1/'], 'catalog serve --webhook-allow 127.0.0.0/8'],
  [['create', '--url', 'https://shop.example/', '--types', 'product.craeted'], 'product.created'],
  [['create', '--url', 'https://shop.example/', '--from', 'yesterday'], 'from must be now, 0, a cursor'],
  [['set', '1'], 'use --url or --types'],
  [['enable', '999999999'], 'no webhook 999999999'],
  [['attempts', '1', '--limit', '501'], 'The maximum is 500'],
])('catalog webhook %j fails with a clear line', async (args, message) => {
  const { code, stdout, stderr } = await catalog(webhook(...args), own)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(message)
})

test('events tail prints stored and new events, one line each, and exits with 0 on Ctrl-C', async () => {
  await addProduct('TAIL-1')
  const project = String(shop.project)
  const tail = spawnCatalog(
    ['events', 'tail', '--project', project, '--after', '0', '--types', 'product.*'],
    own,
  )
  onTestFinished(() => void tail.kill('SIGKILL'))
  const ended = new Promise((resolve) => tail.once('close', (...how) => resolve(how)))
  const lines = createInterface({ input: tail.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  expect(await next()).toMatch(/^\d{4}-\S+Z {2}product\.created {2}TAIL-1 v1 {2}by .+ \(api\) {2}.*\bname\b/)
  await addProduct('TAIL-2')
  expect(await next()).toContain('TAIL-2 v1')
  tail.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})
