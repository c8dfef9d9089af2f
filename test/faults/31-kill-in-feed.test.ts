import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CatalogEvent } from '../../src/delivery/events/event.schema.ts'
import { parseCursor } from '../../src/model/events/cursor.ts'
import { openDatabase, type Queryable } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { newToken } from '../processes/served-shop.ts'
import { seededRandom } from '../seeded-random.ts'
import { recordFigures, spread } from './figures.ts'
import { followFeed, readFeed } from './follow-feed.ts'
import { startProductWrites } from './product-writes.ts'
import { rounds, scaled } from './scale.ts'
import { type Services, startServices } from './several-services.ts'

const chance = seededRandom(31)
const processes = scaled(2, 3)
const writers = scaled(4, 20)
/** A pause, so that the writers leave processor time to restarting services. */
const restMilliseconds = scaled(50, 0)

/** The versions and stock reasons of each product, in order. */
async function readHistory(database: Queryable): Promise<Map<string, (number | string)[]>> {
  const rows = await database.query(sql<{ object: string; changes: (number | string)[] }>`
    select 'versions of ' || product_id as object, json_agg(version order by version) as changes from product_history group by product_id
    union all
    select 'stock of ' || product_id, json_agg(reason order by id) from inventory_adjustments group by product_id`)
  return new Map(rows.map(({ object, changes }) => [object, changes]))
}

/** The same, from the events. */
function historyFromEvents(events: readonly CatalogEvent[]): Map<string, unknown[]> {
  const history = new Map<string, unknown[]>()
  for (const { type, data } of events) {
    if (data.object !== 'product') continue
    const isStock = type === 'product.stock_changed'
    const object = `${isStock ? 'stock' : 'versions'} of ${data.id}`
    history.getOrInsertComputed(object, () => []).push(isStock ? data.after?.['reason'] : data.version)
  }
  return history
}

/** Feed rows are numbered from 1, and so are the events of each row. */
function expectNoGap(events: readonly CatalogEvent[]): void {
  let [number, position] = [0, 0]
  for (const { cursor } of events) {
    const at = parseCursor(cursor)
    const isNext =
      at?.number === number ? at.position === position + 1 : at?.number === number + 1 && at.position === 1
    if (at === undefined || !isNext) expect.fail(`${cursor} comes after ${number}, ${position}`)
    ;({ number, position } = at)
  }
}

/** Kills services in turn, even before the previous one has restarted. Returns the downtime of each. */
async function killAll(services: Services, acknowledged: () => number): Promise<number[]> {
  const downtimes: Promise<number>[] = []
  for (const round of rounds(1, 20, 600)) {
    const enough = acknowledged() + scaled(20, chance.between(100, 400))
    await expect.poll(acknowledged, { interval: 1 }).toBeGreaterThan(enough)
    await sleep(chance.between(0, 20))
    const killed = performance.now()
    downtimes.push(services.kill(round % services.count).then(() => performance.now() - killed))
  }
  return Promise.all(downtimes)
}

test('fault 31: the feed has every change once and in order, also for a client that follows it, while services that share a database are killed', async (context) => {
  const connection = await ownDatabase('feed')
  const [services, { token }] = await Promise.all([
    startServices(connection, processes),
    newToken(commandRunner({ DATABASE_URL: connectionUrl(connection) })),
  ])
  const following = followFeed(services, token)
  const names = Array.from({ length: writers }, (_, place) => `W${place}`)
  const writing = startProductWrites(services, token, names, restMilliseconds)
  const starts = await killAll(services, writing.acknowledged)
  await writing.stop()
  const followed = await following.stop()
  const events = await readFeed(services, token)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 60 })
  const history = await readHistory(database)
  await database.close()
  await services.end()
  expect(writing.rejected).toEqual([])
  expectNoGap(events)
  expect(historyFromEvents(events)).toEqual(history)
  expect(followed).toEqual(events)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  recordFigures(context, {
    tried: starts.length,
    of: `kills of ${processes} services during ${writing.acknowledged().toLocaleString('en-US')} acknowledged writes`,
    survived: starts.length,
    lost: 0,
    notes: [`${events.length.toLocaleString('en-US')} events`, `next start: ${spread(starts)}`],
  })
})
