import type pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { sampleModel } from '../run-shop.ts'
import type { SampleModel } from '../sample-model/sample-model.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { startReceiver } from '../webhook-receiver.ts'
import { recordFigures } from './figures.ts'
import { startHangingRun } from './hanging-run.ts'
import { neighbors, openShop, openTestDatabase, stopNeighbors } from './noise.ts'
import { isLong, scaled } from './scale.ts'
import { measureReads, measureVictim, openVictim } from './victim.ts'

/** The duration of each measurement, without and with the neighbor. */
const quietMilliseconds = scaled(300, 10_000)
const noisyMilliseconds = scaled(700, 20_000)
const mostLag = 5_000
/** In the short form, other tests also take processor time, so it only finds delays of seconds. */
const leastBound = scaled(1_000, 100)

let database: Database
let service: Serving
let model: SampleModel
beforeAll(async () => {
  const connection: pg.ClientConfig = await ownDatabase('neighbors')
  model = await sampleModel()
  database = openTestDatabase(connection)
  service = await serve(
    ['--log-level', 'error', '--webhook-allow', '127.0.0.0/8', '--ai-allow', model.origin],
    { DATABASE_URL: connectionUrl(connection) },
    whenFileEnds,
  )
  whenFileEnds(() => database.close())
}, 120_000)

/** The short form leaves out patterns, event reads, sign-ins, previews and agents, which have tests next to their code. */
const chosen = Object.entries(neighbors).slice(0, scaled(3, 8))

test.for(chosen)(
  'fault 33: %s: requests, webhooks and proposals of another project stay fast',
  async ([name, begin], context) => {
    const stopping = new AbortController()
    onTestFinished(async () => {
      stopping.abort()
      await stopNeighbors(database)
    })
    const receiver = await startReceiver()
    const shop = await openShop(database, service.url)
    const ids = await openVictim(shop, receiver)
    const quiet = await measureVictim(shop, receiver, ids, quietMilliseconds)
    await begin({ database, url: service.url, signal: stopping.signal })
    const noisy = await measureVictim(shop, receiver, ids, noisyMilliseconds)
    stopping.abort()
    const figures = [
      `p99 of ${noisy.requests} requests ${noisy.p99.toFixed(0)} ms, ${quiet.p99.toFixed(0)} ms without the neighbor`,
      `events delivered within ${noisy.lag.toFixed(0)} ms at p99`,
      `a proposal opened after ${noisy.proposal.toFixed(0)} ms`,
    ].join(', ')
    const bound = Math.max(leastBound, 3 * quiet.p99)
    const hasSurvived = noisy.rejected.length === 0 && noisy.lag < mostLag && noisy.p99 < bound
    const note = `p99 with ${name}: ${noisy.p99.toFixed(0)} ms, ${quiet.p99.toFixed(0)} ms without, limit ${bound.toFixed(0)} ms`
    recordFigures(context, {
      tried: 1,
      of: 'neighbors',
      survived: hasSurvived ? 1 : 0,
      lost: 0,
      notes: [note],
    })
    expect(noisy.rejected, figures).toEqual([])
    expect(noisy.lag, figures).toBeLessThan(mostLag)
    expect(noisy.p99, figures).toBeLessThan(bound)
    if (isLong) console.info(`${name}: ${figures}`)
  },
)

test('fault 45: an AI provider that hangs does not slow down 200 reads per second', async (context) => {
  const shop = await openShop(database, service.url)
  const ids = await openVictim(shop, await startReceiver())
  onTestFinished(() => stopNeighbors(database))
  await measureReads(shop, ids, quietMilliseconds)
  const quiet = await measureReads(shop, ids, quietMilliseconds)
  await startHangingRun(database, await openShop(database, service.url), model)
  const hanging = await measureReads(shop, ids, noisyMilliseconds)
  expect(model.inFlight).toBeGreaterThan(0)
  const note = `p99 of reads ${hanging.toFixed(1)} ms, ${quiet.toFixed(1)} ms without the run`
  expect(hanging, note).toBeLessThan(Math.max(leastBound, 3 * quiet))
  recordFigures(context, { tried: 1, of: 'run with 24 hanging calls', survived: 1, lost: 0, notes: [note] })
})
