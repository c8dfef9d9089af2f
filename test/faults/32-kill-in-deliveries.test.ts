import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CatalogEvent } from '../../src/delivery/events/event.schema.ts'
import { openDatabase, type Queryable } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { bearer, newToken } from '../processes/served-shop.ts'
import { seededRandom } from '../seeded-random.ts'
import { type Receiver, startReceiver } from '../webhook-receiver.ts'
import { recordFigures } from './figures.ts'
import { readFeed } from './follow-feed.ts'
import { startProductWrites } from './product-writes.ts'
import { isLong, rounds, scaled } from './scale.ts'
import { type Services, startServices } from './several-services.ts'

const chance = seededRandom(32)
const writers = scaled(3, 6)
/** The receiver fails for a third of each period, every second time without a response. */
const periodMilliseconds = scaled(300, 9_000)
const maxPauseSeconds = scaled(0, 5)
/** A pause, so that the receiver can catch up and the restarting service gets processor time. */
const restMilliseconds = scaled(50, 1_000)

function currentStatus(): number {
  const [periods, since] = [Math.floor(Date.now() / periodMilliseconds), Date.now() % periodMilliseconds]
  if (since > periodMilliseconds / 3) return 200
  return periods % 2 === 0 ? 503 : 0
}

/** Shortens the pauses between attempts, which grow to hours. */
function shortenPauses(database: Queryable) {
  const stopping = new AbortController()
  async function shorten(): Promise<void> {
    while (!stopping.signal.aborted) {
      await database.query(sql`
        update webhook_lanes set next_try_at = clock_timestamp() + ${maxPauseSeconds} * interval '1 second'
        where tries > 0 and next_try_at > clock_timestamp() + ${maxPauseSeconds} * interval '1 second'`)
      await database.query(sql`
        update jobs set due_at = clock_timestamp() + ${maxPauseSeconds} * interval '1 second'
        where kind = 'webhook.deliver' and owner is null and due_at > clock_timestamp() + ${maxPauseSeconds} * interval '1 second'`)
      await sleep(50)
    }
  }
  const ended = shorten()
  return async () => {
    stopping.abort()
    await ended
  }
}

/** The short form does not wait for the leases of the killed service to expire. */
async function endLeases(database: Queryable): Promise<void> {
  if (!isLong)
    await database.query(sql`update jobs set lease_until = clock_timestamp() where owner is not null`)
}

async function createWebhook(services: Services, token: string, receiver: Receiver): Promise<void> {
  const response = await fetch(`${await services.urlOf(0)}/v2/webhooks`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, from: '0' }),
  })
  const { secret } = (await response.json()) as { secret: string }
  receiver.secrets.push(secret)
}

async function killWhileDelivering(services: Services, database: Queryable, receiver: Receiver) {
  let kills = 0
  for (const _ of rounds(1, 20, 800)) {
    const before = receiver.received.length
    const more = scaled(15, chance.between(20, 100))
    await expect
      .poll(() => receiver.received.length, { interval: 1, timeout: scaled(30_000, 120_000) })
      .toBeGreaterThan(before + more)
    await services.kill(0, () => endLeases(database))
    kills += 1
  }
  return kills
}

/** The event IDs of each object, in order. */
function byObject(events: readonly CatalogEvent[]): Map<string, string[]> {
  const grouped = Map.groupBy(events, ({ data }) => `${data.object} ${data.id}`)
  return new Map([...grouped].map(([object, own]) => [object, own.map(({ id }) => id)]))
}

function withoutRepeats(events: readonly CatalogEvent[]): CatalogEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()]
}

test('fault 32: every event is delivered at least once, signed, in order per object and with one ID, while the receiver fails and the service is killed', async (context) => {
  const connection = await ownDatabase('deliveries')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 60 })
  const [services, { token }] = await Promise.all([
    startServices(connection, 1, ['--webhook-allow', '127.0.0.0/8']),
    newToken(commandRunner({ DATABASE_URL: connectionUrl(connection) })),
  ])
  const receiver = await startReceiver(currentStatus)
  await createWebhook(services, token, receiver)
  const stopShortening = shortenPauses(database)
  const names = Array.from({ length: writers }, (_, place) => `W${place}`)
  const writing = startProductWrites(services, token, names, restMilliseconds)
  const kills = await killWhileDelivering(services, database, receiver)
  await writing.stop()
  const events = await readFeed(services, token)
  const receivedIds = () => new Set(receiver.delivered().map(({ id }) => id))
  // Once per poll: this process also runs the receiver, which would wait.
  const countMissing = () => {
    const received = receivedIds()
    return events.filter(({ id }) => !received.has(id)).length
  }
  await expect.poll(countMissing, { timeout: scaled(30_000, 300_000) }).toBe(0)
  await stopShortening()
  await database.close()
  await services.end()
  const delivered = receiver.delivered()
  expect(byObject(withoutRepeats(delivered))).toEqual(byObject(events))
  expect(new Set(delivered.map(({ cursor }) => cursor)).size).toBe(receivedIds().size)
  expect([writing.rejected, receiver.unverified]).toEqual([[], 0])
  const failed = receiver.received.length - delivered.length
  recordFigures(context, {
    tried: kills,
    of: `kills during ${events.length.toLocaleString('en-US')} events`,
    survived: kills,
    lost: 0,
    notes: [`${failed} attempts failed`, `${delivered.length - events.length} events were delivered again`],
  })
})
