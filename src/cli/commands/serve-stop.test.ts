import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/blocked.ts'
import { type Serving, serve, spawnCatalog } from '../../../test/catalog-process.ts'
import { commandRunner } from '../../../test/command-runner.ts'
import { whenFileEnds } from '../../../test/file-end.ts'
import { bearer, count, create, endTwice, familyOf, newToken, postmaster } from '../../../test/served-shop.ts'
import { dataFolderOfFile } from '../../../test/temporary-folder.ts'
import { connectionUrl, emptyDatabase } from '../../../test/test-database.ts'
import { openDatabase } from '../../database/database.ts'
import { leaseEmbeddedServer } from '../../database/embedded/lease.ts'
import { sql } from '../../database/sql.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })

/** Asks again and again, and notes each status, until nobody listens any more. */
async function watchUntilGone(address: string, statuses: Set<number>): Promise<void> {
  for (;;) {
    const status = await fetch(address).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === undefined) return
    statuses.add(status)
  }
}

/** Stops the database's processes, so that it hangs; the returned function wakes them. */
function hang(): () => void {
  const family = familyOf(postmaster(folder))
  for (const pid of family) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of family) process.kill(pid, 'SIGCONT')
  }
}

async function timed<Result>(work: Promise<Result>): Promise<[Result, number]> {
  const started = Date.now()
  return [await work, Date.now() - started]
}

describe('when it is stopped', () => {
  test('SIGTERM under load, even twice, fails no request, /readyz says so, and it exits 0 within 10 seconds', async () => {
    const serving = await serve(['--data', folder])
    const { url } = serving
    const { token } = await newToken(commands)
    let running = true
    const failures: string[] = []
    let answered = 0
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; running; turn += 1) {
        const status = await create(url, token, `S-${client}-${turn}`).catch(
          (error: Error) => (error.cause as NodeJS.ErrnoException)?.code ?? error.message,
        )
        // Once the port is closed there is no service to fail: that is what a client sees of any stopped server.
        if (status === 'ECONNREFUSED') return
        if (status !== 201) failures.push(String(status))
        answered += 1
      }
    })
    await expect.poll(() => answered).toBeGreaterThan(50)
    const readiness = new Set<number>()
    const watching = watchUntilGone(`${url}/readyz`, readiness)
    await expect.poll(() => readiness).toEqual(new Set([200]))
    const [, milliseconds] = await timed(endTwice(serving, 'SIGTERM', folder))
    expect(milliseconds).toBeLessThan(10_000)
    await watching
    expect(readiness).toEqual(new Set([200, 503]))
    running = false
    await Promise.all(clients)
    expect(failures).toEqual([])
  })

  test('SIGTERM during the start ends it without a service', async () => {
    // Without its schema: the start waits for whoever makes it.
    const connection = await emptyDatabase('start')
    const migrator = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
    await migrator.query(sql`select pg_advisory_lock(4270011)`)
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
})

describe('one service, when', () => {
  let serving: Serving
  let firstStart: number
  let token: string
  beforeAll(async () => {
    const shortened = { CATALOG_STATEMENT_TIMEOUT_SECONDS: '2' }
    ;[serving, firstStart] = await timed(serve(['--data', folder], shortened, whenFileEnds))
    token = (await newToken(commands)).token
  })
  const ask = () => fetch(`${serving.url}/v2/products`, { headers: bearer(token) })
  const askOften = async () =>
    new Set((await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status))
  // Where the machine is busy: twice the start before.
  const soon = () => Math.max(5_000, 2 * firstStart)

  test('the database is killed: 503 with Retry-After, and recovery by itself within 5 seconds', async () => {
    const heard = new Set<string>()
    const listen = async () => {
      const { status, headers } = await ask()
      heard.add(`${status}, Retry-After: ${headers.get('retry-after')}`)
      return status
    }
    let busy = true
    const load = Array.from({ length: 10 }, async () => {
      while (busy) await listen()
    })
    await expect.poll(() => heard.size).toBe(1)
    process.kill(postmaster(folder), 'SIGKILL')
    const started = Date.now()
    await expect.poll(() => heard.size).toBe(2)
    await expect.poll(listen).toBe(200)
    expect(Date.now() - started).toBeLessThan(soon())
    busy = false
    await Promise.all(load)
    expect(heard).toEqual(new Set(['200, Retry-After: null', '503, Retry-After: 2']))
  })

  test('the database hangs: 503 within a few seconds, and the pool works again when it wakes', async () => {
    expect(await askOften()).toEqual(new Set([200]))
    const wake = hang()
    const [during, milliseconds] = await timed(askOften())
    wake()
    expect(during).toEqual(new Set([503]))
    expect(milliseconds).toBeLessThan(8000)
    await expect.poll(async () => (await ask()).status).toBe(200)
    expect(await askOften()).toEqual(new Set([200]))
  })

  test('it is killed: no acknowledged write is lost, the next starts within 5 seconds, and SIGTERM ends that within 12, while the database hangs', async () => {
    let acknowledged = 0
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; turn < 10_000; turn += 1) {
        const status = await create(serving.url, token, `K-${client}-${turn}`).catch(() => 0)
        if (status !== 201) return
        acknowledged += 1
      }
    })
    await expect.poll(() => acknowledged).toBeGreaterThan(50)
    await serving.stop('SIGKILL')
    await Promise.all(clients)
    const [next, nextStart] = await timed(serve(['--data', folder]))
    expect(nextStart).toBeLessThan(soon())
    const kept = await count(next.url, token)
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(acknowledged + 8)
    const wake = hang()
    const [{ code }, end] = await timed(next.stop())
    wake()
    expect([code, end < 12_000]).toEqual([0, true])
    await (await leaseEmbeddedServer(folder)).release()
  })
})
