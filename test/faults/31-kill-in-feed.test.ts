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
const writers = scaled(6, 20)
/** Writers that never rest would take the processor from the services that start again. */
const restMilliseconds = scaled(20, 0)

/** Each product's versions and reasons of stock, in the order in which they came to be. */
async function readHistory(database: Queryable): Promise<Map<string, (number | string)[]>> {
  const rows = await database.query(sql<{ object: string; told: (number | string)[] }>`
    select 'versions of ' || product_id as object, json_agg(version order by version) as told from product_history group by product_id
    union all
    select 'stock of ' || product_id, json_agg(reason order by id) from inventory_adjustments group by product_id`)
  return new Map(rows.map(({ object, told }) => [object, told]))
}

/** The same as the feed tells it. */
function toldHistory(events: readonly CatalogEvent[]): Map<string, unknown[]> {
  const told = new Map<string, unknown[]>()
  for (const { type, data } of events) {
    if (data.object !== 'product') continue
    const isStock = type === 'product.stock_changed'
    const object = `${isStock ? 'stock' : 'versions'} of ${data.id}`
    told.getOrInsertComputed(object, () => []).push(isStock ? data.after?.['reason'] : data.version)
  }
  return told
}

/** Rows are numbered from 1, and so are the events of each. */
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

/** Kills one after the other, also while another is not back yet. Returns how long each was away. */
async function killAll(services: Services, acknowledged: () => number): Promise<number[]> {
  const away: Promise<number>[] = []
  for (const round of rounds(2, 20, 600)) {
    const enough = acknowledged() + scaled(20, chance.between(100, 400))
    await expect.poll(acknowledged, { interval: 1 }).toBeGreaterThan(enough)
    await sleep(chance.between(0, 20))
    const killed = performance.now()
    away.push(services.kill(round % services.count).then(() => performance.now() - killed))
  }
  return Promise.all(away)
}

test('fault 31: the feed tells every change once and in order, and so it does to who follows it, while services that share a database are killed', async (context) => {
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
  expect(writing.refused).toEqual([])
  expectNoGap(events)
  expect(toldHistory(events)).toEqual(history)
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
