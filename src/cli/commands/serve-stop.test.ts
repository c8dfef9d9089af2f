import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/blocked.ts'
import { serve, spawnCatalog } from '../../../test/catalog-process.ts'
import { commandRunner } from '../../../test/command-runner.ts'
import { bearer, count, create, familyOf, newToken, postmaster } from '../../../test/served-shop.ts'
import { folderOfFile, temporaryFolder } from '../../../test/temporary-folder.ts'
import { openDatabase } from '../../database/database.ts'
import { leaseEmbeddedServer } from '../../database/embedded/lease.ts'
import { isAlive } from '../../database/embedded/process.ts'
import { sql } from '../../database/sql.ts'

const folder = folderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })
beforeAll(() => commands.catalogJson(['migrate']))

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

describe('when it is stopped under load', () => {
  test('SIGTERM fails no request, /readyz says so, and it exits 0 within 10 seconds', async () => {
    const { url, stop } = await serve(['--data', folder])
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
    const started = Date.now()
    expect((await stop()).code).toBe(0)
    expect(Date.now() - started).toBeLessThan(10_000)
    await watching
    expect(readiness).toEqual(new Set([200, 503]))
    running = false
    await Promise.all(clients)
    expect(failures).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s that comes twice, as from npm in a terminal, ends it cleanly and stops the database',
    async (signal) => {
      const { process: child, stderr, stop } = await serve(['--data', folder])
      const pid = postmaster(folder)
      child.kill(signal)
      await expect.poll(stderr).toContain('stopping')
      expect((await stop(signal)).code).toBe(0)
      expect(isAlive(pid)).toBe(false)
    },
  )

  test('SIGTERM while the database hangs still ends it within 12 seconds', async () => {
    const { stop } = await serve(['--data', folder])
    const family = familyOf(postmaster(folder))
    for (const pid of family) process.kill(pid, 'SIGSTOP')
    const started = Date.now()
    const { code } = await stop()
    const seconds = (Date.now() - started) / 1000
    for (const pid of family) process.kill(pid, 'SIGCONT')
    expect([code, seconds < 12]).toEqual([0, true])
    await (await leaseEmbeddedServer(folder)).release()
  })

  test('SIGTERM during the start ends it without a service', async () => {
    // Without its schema: the start waits for whoever makes it.
    const folder = temporaryFolder()
    const lease = await leaseEmbeddedServer(folder)
    const migrator = openDatabase({ connection: lease.connection, poolSize: 1, statementTimeoutSeconds: 0 })
    await migrator.query(sql`select pg_advisory_lock(4270011)`)
    const child = spawnCatalog(['serve', '--port', '0', '--data', folder])
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const tries = sql`select from pg_stat_activity where pid <> pg_backend_pid() and query like '%pg_try_advisory%'`
    await until(async () => (await migrator.query(tries)).length > 0)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(output).toBe('')
    await migrator.close()
    await lease.release()
  })

  test('kill -9 loses no acknowledged write, and the next start takes less than 5 seconds', async () => {
    const begun = Date.now()
    const first = await serve(['--data', folder])
    const firstStart = Date.now() - begun
    const { token } = await newToken(commands)
    let acknowledged = 0
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; turn < 10_000; turn += 1) {
        const status = await create(first.url, token, `K-${client}-${turn}`).catch(() => 0)
        if (status !== 201) return
        acknowledged += 1
      }
    })
    await expect.poll(() => acknowledged).toBeGreaterThan(50)
    await first.stop('SIGKILL')
    await Promise.all(clients)
    const started = Date.now()
    const second = await serve(['--data', folder])
    // Where the machine is busy: than twice the start before it.
    expect(Date.now() - started).toBeLessThan(Math.max(5000, 2 * firstStart))
    const kept = await count(second.url, token)
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(acknowledged + 8)
    await second.stop()
  })
})

describe('when the database fails', () => {
  test('killed: 503 with Retry-After, and recovery by itself within 5 seconds', async () => {
    const begun = Date.now()
    const { url, stop } = await serve(['--data', folder])
    const firstStart = Date.now() - begun
    const { token } = await newToken(commands)
    const heard = new Set<string>()
    const ask = async () => {
      const { status, headers } = await fetch(`${url}/v2/products`, { headers: bearer(token) })
      heard.add(`${status}, Retry-After: ${headers.get('retry-after')}`)
      return status
    }
    let busy = true
    const load = Array.from({ length: 10 }, async () => {
      while (busy) await ask()
    })
    await expect.poll(() => heard.size).toBe(1)
    process.kill(postmaster(folder), 'SIGKILL')
    const started = Date.now()
    await expect.poll(() => heard.size).toBe(2)
    await expect.poll(ask).toBe(200)
    // Where the machine is busy: than twice the start before it.
    expect(Date.now() - started).toBeLessThan(Math.max(5_000, 2 * firstStart))
    busy = false
    await Promise.all(load)
    expect(heard).toEqual(new Set(['200, Retry-After: null', '503, Retry-After: 2']))
    await stop()
  })

  test('hung: 503 within a few seconds, and the pool works again when it wakes', async () => {
    const { url, stop } = await serve(['--data', folder], { CATALOG_STATEMENT_TIMEOUT_SECONDS: '1' })
    const { token } = await newToken(commands)
    const ask = async () => (await fetch(`${url}/v2/products`, { headers: bearer(token) })).status
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]))
    const family = familyOf(postmaster(folder))
    for (const pid of family) process.kill(pid, 'SIGSTOP')
    const started = Date.now()
    const during = await Promise.all(Array.from({ length: 20 }, ask))
    for (const pid of family) process.kill(pid, 'SIGCONT')
    expect(new Set(during)).toEqual(new Set([503]))
    expect(Date.now() - started).toBeLessThan(8000)
    await expect.poll(ask).toBe(200)
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]))
    await stop()
  })
})
