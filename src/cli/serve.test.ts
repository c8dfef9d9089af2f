import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { catalog, catalogJson, serve, spawnCatalog } from '../../test/catalog-process.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openDatabase } from '../database/database.ts'
import { leaseEmbeddedServer } from '../database/embedded/lease.ts'
import { isAlive } from '../database/embedded/process.ts'
import { sql } from '../database/sql.ts'

function postmaster(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)
}

async function newToken(
  folder: string,
  plan = 'enterprise',
): Promise<{ project: string; id: string; token: string }> {
  const { id: project } = await catalogJson([
    'project',
    'create',
    '--name',
    'T',
    '--plan',
    plan,
    '--data',
    folder,
  ])
  const { id, token } = await catalogJson(['token', 'create', '--project', String(project), '--data', folder])
  return { project: String(project), id: String(id), token }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function create(url: string, token: string, sku: string): Promise<number> {
  const response = await fetch(`${url}/api/products`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ sku, name: sku }),
  })
  await response.arrayBuffer()
  return response.status
}

async function count(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/products?page_size=1`, { headers: bearer(token) })
  return ((await response.json()) as { count: number }).count
}

describe('catalog serve --demo', () => {
  test('prints a curl line that works, and each start ends the token of the last', async () => {
    const folder = temporaryFolder()
    const first = await serve(['--demo', '--data', folder])
    const line = first.banner.find((text) => text.includes('curl -H')) ?? ''
    const [, header = '', address = ''] = /curl -H '([^']+)' '([^']+)'/.exec(line) ?? []
    const [name = '', value = ''] = header.split(': ')
    const response = await fetch(address, { headers: { [name]: value } })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { results: object[] }).results).toHaveLength(3)
    expect(first.banner.at(-1)).toBe(`listening on ${first.url}`)
    expect((await first.stop()).code).toBe(0)

    const second = await serve(['--demo', '--data', folder])
    expect((await fetch(`${second.url}/v2/project`, { headers: { [name]: value } })).status).toBe(401)
    const prompts = await fetch(`${second.url}/v2/prompts`, {
      headers: bearer(/cat_\w+/.exec(second.banner.join())?.[0] ?? ''),
    })
    expect(prompts.status).toBe(200)
    await second.stop()
  })
})

describe('a running service', () => {
  test('is shared with commands beside it; what they change holds at once; the last one stops the server', async () => {
    const folder = temporaryFolder()
    const services = [await serve(['--data', folder]), await serve(['--data', folder, '--workers', '2'])]
    const pid = postmaster(folder)
    const { project, id, token } = await newToken(folder, 'free')
    const statuses = async () =>
      new Set(
        await Promise.all(
          services.flatMap(({ url }) =>
            [1, 2, 3, 4].map(
              async () => (await fetch(`${url}/v2/project`, { headers: bearer(token) })).status,
            ),
          ),
        ),
      )
    expect(await statuses()).toEqual(new Set([403]))
    await catalogJson(['project', 'set', project, '--api-access', 'on', '--data', folder])
    expect(await statuses()).toEqual(new Set([200]))
    await catalogJson(['token', 'revoke', id, '--data', folder])
    expect(await statuses()).toEqual(new Set([401]))
    for (const { stop } of services) {
      expect(isAlive(pid)).toBe(true)
      expect((await stop()).code).toBe(0)
    }
    expect(isAlive(pid)).toBe(false)
  })

  test('counts the requests of all its workers against one limit', async () => {
    const folder = temporaryFolder()
    const { url, stop } = await serve(['--data', folder, '--workers', '3'])
    const { project, token } = await newToken(folder)
    await catalogJson(['project', 'set', project, '--rate-limit', '10', '--data', folder])
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        fetch(`${url}/v2/project`, { headers: { ...bearer(token), connection: 'close' } }),
      ),
    )
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBeGreaterThanOrEqual(20)
    expect(served).toBeLessThan(30)
    expect((await stop()).code).toBe(0)
  })

  test('writes no token to its log, whatever is sent', async () => {
    const folder = temporaryFolder()
    const { url, stderr, stop } = await serve(['--data', folder, '--log-level', 'trace'])
    const { token } = await newToken(folder)
    await fetch(`${url}/v2/project`, { headers: bearer(token) })
    await fetch(`${url}/v2/products?token=${token}`, {
      headers: { ...bearer(token), 'x-request-id': token, 'user-agent': token },
    })
    await fetch(`${url}/v2/products/${token.replace('_', '%5F')}?x=%63${token.slice(1)}`, {
      headers: bearer(token),
    })
    await fetch(`${url}/v2/project`, { headers: { ...bearer(token), 'x-request-id': token.slice(4) } })
    await fetch(`${url}/v2/${token}`, { headers: bearer(token.slice(0, -1)) })
    await stop()
    expect(stderr()).toContain('/v2/project')
    expect(stderr()).not.toContain(token.slice(4, 30))
  })

  test('refuses a taken port and says what to do', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    for (const workers of ['1', '2']) {
      const { code, stderr } = await catalog([
        'serve',
        '--port',
        String(port),
        '--workers',
        workers,
        '--data',
        temporaryFolder(),
      ])
      expect(code).toBe(1)
      expect(stderr).toContain(
        `port ${port} on 127.0.0.1 is taken; stop what listens there, or choose another with --port`,
      )
    }
    holder.close()
  })
})

describe('when it is stopped under load', () => {
  test('SIGTERM fails no request, /readyz says so, and it exits 0 within 10 seconds', async () => {
    const folder = temporaryFolder()
    const { url, stop } = await serve(['--data', folder])
    const { token } = await newToken(folder)
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
    await sleep(500)
    const started = Date.now()
    const stopping = stop()
    await sleep(100)
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await stopping).code).toBe(0)
    expect(Date.now() - started).toBeLessThan(10_000)
    running = false
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(50)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s that comes twice, as from npm in a terminal, ends it cleanly and stops the database',
    async (signal) => {
      const folder = temporaryFolder()
      const { process: child, stop } = await serve(['--data', folder])
      const pid = postmaster(folder)
      child.kill(signal)
      await sleep(5)
      expect((await stop(signal)).code).toBe(0)
      expect(isAlive(pid)).toBe(false)
    },
  )

  test('SIGTERM while the database hangs still ends it within 12 seconds', async () => {
    const folder = temporaryFolder()
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
    const folder = temporaryFolder()
    const lease = await leaseEmbeddedServer(folder)
    const blocker = openDatabase({ connection: lease.connection, poolSize: 1, statementTimeoutSeconds: 0 })
    const unblock = Promise.withResolvers<void>()
    const blocking = blocker.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(4270011)`)
      await unblock.promise
    })
    const child = spawnCatalog(['serve', '--port', '0', '--data', folder])
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await sleep(3000)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(output).toBe('')
    unblock.resolve()
    await blocking
    await blocker.close()
    await lease.release()
  })

  test('kill -9 loses no acknowledged write, and the next start takes less than 5 seconds', async () => {
    const folder = temporaryFolder()
    const first = await serve(['--data', folder])
    const { token } = await newToken(folder)
    let acknowledged = 0
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; turn < 10_000; turn += 1) {
        const status = await create(first.url, token, `K-${client}-${turn}`).catch(() => 0)
        if (status !== 201) return
        acknowledged += 1
      }
    })
    await sleep(700)
    await first.stop('SIGKILL')
    await Promise.all(clients)
    const started = Date.now()
    const second = await serve(['--data', folder])
    expect(Date.now() - started).toBeLessThan(5000)
    const kept = await count(second.url, token)
    expect(acknowledged).toBeGreaterThan(20)
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(acknowledged + 8)
    await second.stop()
  })
})

describe('when the database fails', () => {
  test('killed: 503 with Retry-After, and recovery by itself within 5 seconds', async () => {
    const folder = temporaryFolder()
    const { url, stop } = await serve(['--data', folder])
    const { token } = await newToken(folder)
    const statuses = new Set<number>()
    let busy = true
    const load = Array.from({ length: 10 }, async () => {
      while (busy) statuses.add((await fetch(`${url}/v2/products`, { headers: bearer(token) })).status)
    })
    await sleep(300)
    process.kill(postmaster(folder), 'SIGKILL')
    const started = Date.now()
    for (;;) {
      const response = await fetch(`${url}/v2/products`, { headers: bearer(token) })
      statuses.add(response.status)
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('2')
      if (response.status === 200 && Date.now() - started > 500) break
      expect(Date.now() - started).toBeLessThan(6000)
      await sleep(20)
    }
    busy = false
    await Promise.all(load)
    expect(statuses).toEqual(new Set([503, 200]))
    await stop()
  })

  test('hung: 503 within a few seconds, and the pool works again when it wakes', async () => {
    const folder = temporaryFolder()
    const { url, stop } = await serve(['--data', folder], { CATALOG_STATEMENT_TIMEOUT_SECONDS: '1' })
    const { token } = await newToken(folder)
    const ask = async () => (await fetch(`${url}/v2/products`, { headers: bearer(token) })).status
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]))
    const family = familyOf(postmaster(folder))
    for (const pid of family) process.kill(pid, 'SIGSTOP')
    const started = Date.now()
    const during = await Promise.all(Array.from({ length: 20 }, ask))
    for (const pid of family) process.kill(pid, 'SIGCONT')
    expect(new Set(during)).toEqual(new Set([503]))
    expect(Date.now() - started).toBeLessThan(8000)
    await expect.poll(ask, { timeout: 5000 }).toBe(200)
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]))
    await stop()
  })
})

/** The server and its backends. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [pid, ...children]
}
