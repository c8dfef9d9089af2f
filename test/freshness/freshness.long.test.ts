import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionUrl, emptyDatabase } from '../database/test-database.ts'
import { recordFigures, spread } from '../faults/figures.ts'
import { startServices } from '../faults/several-services.ts'
import { startTestService } from '../harness.ts'
import { serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { previousReleaseCommit, unpack } from '../rolling/releases.ts'
import { startShops } from './fresh-shops.ts'
import { startServerPair } from './server-pair.ts'

const processes = 4
const reads = 200_000
const faults = 16
const readsOfReleases = 20_000

test('fault 40: no read misses a write that any service acknowledged before, through kills of services and failovers of the database', async (context) => {
  const pair = await startServerPair()
  const services = await startServices({ connectionString: pair.url }, processes)
  const shops = await startShops(services, commandRunner({ DATABASE_URL: pair.url }))
  const gaps: number[] = []
  let failovers = 0
  for (let fault = 0; fault < faults; fault += 1) {
    await shops.untilReads((reads * (fault + 1)) / (faults + 1))
    if (fault % 2 === 0) await services.kill((fault / 2) % processes)
    else {
      const began = performance.now()
      await pair.failOver()
      gaps.push(performance.now() - began)
      failovers += 1
    }
  }
  await shops.untilReads(reads)
  const notes = await shops.expectFresh()
  await services.end()
  recordFigures(context, {
    tried: shops.reads(),
    of: `reads of ${processes} services with ${faults - failovers} kills and ${failovers} failovers`,
    survived: shops.reads(),
    lost: 0,
    notes: [...notes, `failover with a new standby: ${spread(gaps)}`],
  })
})

test('fault 40: after a failover that loses writes, no response shows them', async () => {
  const pair = await startServerPair()
  const service = await startTestService({}, { connectionString: pair.url })
  const { call } = await service.tenant()
  const { body: product } = await call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'Kept' } })
  const rename = (name: string) => call(`/v2/products/${product.id}`, { method: 'PATCH', body: { name } })
  const readAll = async () => {
    const names = []
    for (const path of [`/v2/products/${product.id}`, `/v2/products/${product.id}`, '/v2/products?sku=A']) {
      const { body } = await call(path)
      names.push(body.results?.[0].name ?? body.name)
    }
    return new Set(names)
  }
  expect(await readAll()).toEqual(new Set(['Kept']))
  await pair.stopStandby()
  await rename('Lost')
  expect(await readAll()).toEqual(new Set(['Lost']))
  await pair.failOver()
  await expect.poll(async () => (await call(`/v2/products/${product.id}`)).status).toBe(200)
  expect(await readAll()).toEqual(new Set(['Kept']))
  // As many changes as before the failover, so that numbers and versions repeat.
  expect((await rename('Again')).body.version).toBe(2)
  expect(await readAll()).toEqual(new Set(['Again']))
  // The last commits of the stopping service would wait for a standby that stops first.
  await pair.stopStandby()
})

test('fault 40: no read misses a write of the previous release, which runs at the same time', async (context) => {
  const commit = previousReleaseCommit()
  if (commit === undefined) return context.skip('the repository history is missing')
  const connection = await emptyDatabase('releases')
  const environment = { DATABASE_URL: connectionUrl(connection) }
  const folder = unpack(commit)
  const previous = await serve(['--log-level', 'warn'], environment, undefined, join(folder, 'bin/catalog'))
  const current = await startServices(connection, processes - 1)
  const pool = {
    count: processes,
    urlOf: async (place: number) => (place === 0 ? previous.url : current.urlOf(place - 1)),
  }
  const shops = await startShops(pool, commandRunner(environment))
  await shops.untilReads(readsOfReleases)
  const notes = await shops.expectFresh()
  await current.end()
  expect(await previous.stop()).toMatchObject({ code: 0 })
  recordFigures(context, {
    tried: shops.reads(),
    of: `reads of ${processes} services, one of the previous release`,
    survived: shops.reads(),
    lost: 0,
    notes,
  })
})
