import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Catalog } from '../../client/catalog.ts'
import type { Event } from '../../client/generated.ts'
import { type Fate, unreliableProxy } from '../client/unreliable-proxy.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { sharedTestService } from '../harness.ts'
import { serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { freePort } from '../processes/free-port.ts'
import { newToken } from '../processes/served-shop.ts'
import { seededRandom } from '../seeded-random.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'
import { recordFigures } from './figures.ts'
import { rounds, scaled } from './scale.ts'

const chance = seededRandom(44)
const lines = scaled(2_000, 100_000)
const partLines = 1000
/** A pause, so that the writer leaves processor time to the restarting service. */
const restMilliseconds = scaled(50, 0)

test('fault 44: every line of a push through 503s and cut connections has one result, and one part is in memory', async (context) => {
  const service = await sharedTestService()
  const { token } = await service.tenant({ plan: 'enterprise' })
  const failures: Fate[] = ['cut', 'lose', { status: 503, headers: { 'retry-after': '0' } }]
  // Every third request passes, so that a part needs at most three attempts.
  const proxy = await unreliableProxy(
    service.url,
    (place) => (place % 3 === 2 ? 'pass' : failures[chance.between(0, 2)]) ?? 'pass',
  )
  const catalog = new Catalog({ url: proxy.url, token, retries: 3 })
  let [read, ahead] = [0, 0]
  function* products() {
    for (; read < lines; read += 1) yield { sku: `P-${read}`, name: `Product ${read}`, price: read }
  }
  const results = new Uint8Array(lines)
  const summary = await catalog.products.push(products(), {
    onVerdict({ line, outcome }) {
      expect(outcome).toMatch(/^(created|unchanged)$/)
      results[line - 1] = (results[line - 1] ?? 0) + 1
      ahead = Math.max(ahead, read - line)
    },
  })
  expect([summary.lines, summary.created + summary.unchanged]).toEqual([lines, lines])
  expect(results.every((count) => count === 1)).toBe(true)
  expect((await catalog.products.list({ page_size: 1 })).count).toBe(lines)
  expect(ahead).toBeLessThanOrEqual(partLines)
  const failed = proxy.seen.length - Math.ceil(lines / partLines)
  recordFigures(context, { tried: failed, of: 'failed requests', survived: failed, lost: 0 })
})

const program = fileURLToPath(new URL('../client/follow-program.ts', import.meta.url))

test('fault 44: a client that follows changes misses none while it and the service are killed, and repeated events have equal IDs', async (context) => {
  const connection = await ownDatabase('client')
  const environment = { DATABASE_URL: connectionUrl(connection) }
  const [port, { token }] = await Promise.all([freePort(), newToken(commandRunner(environment))])
  const start = () => serve(['--log-level', 'warn', '--workers', '1', '--port', String(port)], environment)
  const url = `http://127.0.0.1:${port}`
  const folder = temporaryFolder()
  const follow = () =>
    fork(program, [url, token, folder], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  let [service, client] = [await start(), follow()]
  const catalog = new Catalog({ url, token, retries: 100 })

  let writes = 0
  let isWriting = true
  const writing = (async () => {
    for (; isWriting; writes += 1) {
      await catalog.products.putBySku(`P-${writes % 7}`, { name: `Name ${writes}`, price: writes })
      await sleep(restMilliseconds)
    }
  })()

  const received = () =>
    existsSync(join(folder, 'received'))
      ? readFileSync(join(folder, 'received'), 'utf8').split('\n').length
      : 0
  let kills = 0
  for (const round of rounds(2, 30, 300)) {
    const [before, written] = [received(), writes]
    await expect.poll(() => received() > before && writes > written + 3).toBe(true)
    if (round % 2 === 0) {
      client.kill('SIGKILL')
      await once(client, 'exit')
      client = follow()
    } else {
      await service.stop('SIGKILL')
      service = await start()
    }
    kills += 1
  }
  isWriting = false
  await writing
  const feed = await readFeed(catalog)
  await expect
    .poll(() => received() > 0 && readFileSync(join(folder, 'cursor'), 'utf8'))
    .toBe(feed.at(-1)?.cursor)
  client.kill('SIGKILL')

  const entries = readFileSync(join(folder, 'received'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const events = entries.filter((entry): entry is { event: string; cursor: string } => 'event' in entry)
  const distinct = [...new Map(events.map(({ event, cursor }) => [cursor, event]))]
  expect(new Set(events.map(({ event, cursor }) => `${event} ${cursor}`)).size).toBe(distinct.length)
  // Everything before the first event was copied.
  const first = feed.findIndex(({ cursor }) => cursor === distinct[0]?.[0])
  expect(distinct.map(([, event]) => event)).toEqual(feed.slice(first).map(({ id }) => id))
  const copied = new Map(
    entries.flatMap(({ copied, version }) => (copied === undefined ? [] : [[copied, version]])),
  )
  for (const { data } of feed.slice(0, first))
    expect(copied.get(data.id)).toBeGreaterThanOrEqual(data.version ?? 0)
  recordFigures(context, { tried: kills, of: 'kills', survived: kills, lost: 0, notes: [`${writes} writes`] })
})

async function readFeed(catalog: Catalog): Promise<Event[]> {
  const events: Event[] = []
  for (let after = '0'; ; ) {
    const page = await catalog.events.list({ after, limit: 1000 })
    events.push(...page.results)
    after = page.cursor
    if (page.cursor === page.head) return events
  }
}
