import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { advisoryLocks } from '../../src/platform/database/advisory-locks.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { until } from '../database/blocked.ts'
import { connectionUrl, emptyDatabase } from '../database/test-database.ts'
import { type Serving, serve, spawnCatalog } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { create, endTwice, newToken } from '../processes/served-shop.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { recordFigures, spread, within } from './figures.ts'
import { isLong, rounds } from './scale.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })

/** A pause, so that the clients leave processor time to the service and other tests. */
const betweenMilliseconds = 10

/** Polls the URL and records each status until the port is closed. */
async function watchUntilGone(address: string, statuses: Set<number>): Promise<void> {
  for (;;) {
    const status = await fetch(address).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === undefined) return
    statuses.add(status)
    await sleep(betweenMilliseconds)
  }
}

/** Clients that create products until the port is closed. */
function startLoad({ url }: Serving, token: string, name: string) {
  const failures: string[] = []
  let answered = 0
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let turn = 0; ; turn += 1) {
      const status = await create(url, token, `${name}-${client}-${turn}`).catch(
        (error: Error) => (error.cause as NodeJS.ErrnoException)?.code ?? error.message,
      )
      // The port is closed: the service has stopped.
      if (status === 'ECONNREFUSED') return
      if (status !== 201) failures.push(String(status))
      answered += 1
      await sleep(betweenMilliseconds)
    }
  })
  return { ended: Promise.all(clients), failures, answered: () => answered }
}

test('fault 12: SIGTERM, even twice, fails no request, /readyz reports it, and the service exits with 0 within 10 seconds', async (context) => {
  const ends: number[] = []
  let [answered, reported] = [0, 0]
  for (const round of rounds(1, 20, 60)) {
    const serving = await serve(['--data', folder])
    const { token } = await newToken(commands)
    const load = startLoad(serving, token, `S-${round}`)
    await expect.poll(load.answered).toBeGreaterThan(50)
    const readiness = new Set<number>()
    const watching = watchUntilGone(`${serving.url}/readyz`, readiness)
    await expect.poll(() => readiness).toEqual(new Set([200]))
    const began = Date.now()
    await endTwice(serving, 'SIGTERM', folder)
    ends.push(Date.now() - began)
    await watching
    await load.ended
    expect([load.failures, readiness.has(200)]).toEqual([[], true])
    if (readiness.has(503)) reported += 1
    answered += load.answered()
  }
  if (isLong) expect(reported).toBeGreaterThan(0)
  // On a busy machine, half a second may pass between two reads of /readyz, and the stop may take longer.
  else expect([reported, Math.max(...ends) < 10_000]).toEqual([1, true])
  const of = `stops during ${answered.toLocaleString('en-US')} requests`
  recordFigures(context, {
    tried: ends.length,
    of,
    survived: within(10, ends),
    lost: 0,
    notes: [`Shutdown: ${spread(ends)}`, `/readyz reported it ${reported} times`],
  })
})

test('SIGTERM during the start stops it before it serves', async () => {
  // Without a schema, the start waits for the lock holder to create it.
  const connection = await emptyDatabase('start')
  const migrator = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  await migrator.query(sql`select pg_advisory_lock(${advisoryLocks.migration})`)
  const child = spawnCatalog(['serve', '--port', '0'], { DATABASE_URL: connectionUrl(connection) })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const tries = sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory%'`
  await until(async () => (await migrator.query(tries)).length > 0)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(output).toBe('')
  await migrator.close()
})
