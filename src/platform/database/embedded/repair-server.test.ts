import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { fillDisk, smallDisk } from '../../../../test/database/small-disk.ts'
import { postmaster } from '../../../../test/processes/served-shop.ts'
import { dataFolderOfFile, temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { type Lease, leaseEmbeddedServer } from './lease.ts'
import { removePartialFolders } from './partial-folder.ts'
import { isAlive, processesIn } from './process.ts'

const isLinux = process.platform === 'linux'

const folder = dataFolderOfFile()

async function connect(lease: Lease): Promise<pg.Client> {
  const client = new pg.Client({ ...lease.connection, connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function responds(lease: Lease): Promise<boolean> {
  const client = await connect(lease).catch(() => undefined)
  await client?.end()
  return client !== undefined
}

/** PostgreSQL's log writer ends by itself, shortly after its server. */
function expectNoServerIn(dataFolder = folder): Promise<void> {
  return expect.poll(() => processesIn(join(dataFolder, 'postgres'), 'postgres')).toEqual([])
}

describe.runIf(isLinux)('the embedded server starts', () => {
  test.each(['', 'garbage\n', '0\n'])('although its lock file holds %j', async (text) => {
    writeFileSync(join(folder, 'postgres/postmaster.pid'), text)
    const lease = await leaseEmbeddedServer(folder)
    expect(await responds(lease)).toBe(true)
    await lease.release()
    await expectNoServerIn()
  })

  test('fault 4: although a backend of its killed server is still running', async () => {
    const lease = await leaseEmbeddedServer(folder)
    const busy = await connect(lease)
    // Counting never checks whether the server is still running.
    const counted = busy.query('select count(*) from generate_series(1, 1e12::bigint)').catch(() => 'ended')
    const { processID } = busy as unknown as { processID: number }
    const observer = await connect(lease)
    await expect
      .poll(async () => {
        const { rows } = await observer.query('select state from pg_stat_activity where pid = $1', [
          processID,
        ])
        return rows[0]?.state
      })
      .toBe('active')
    process.kill(postmaster(folder), 'SIGKILL')
    await expect.poll(() => responds(lease)).toBe(true)
    expect(isAlive(processID)).toBe(false)
    expect(await counted).toBe('ended')
    await lease.release()
  })
})

describe.runIf(isLinux)('a removed socket is created again', () => {
  test.each(['socket/.s.PGSQL.5432', 'socket'])('for the users of the server: %s', async (path) => {
    const lease = await leaseEmbeddedServer(folder)
    rmSync(join(folder, path), { recursive: true })
    expect(await responds(lease)).toBe(false)
    await expect.poll(() => responds(lease)).toBe(true)
    await lease.release()
    await expectNoServerIn()
  })

  test('for a newcomer, before the users of the server notice', async () => {
    const lease = await leaseEmbeddedServer(folder)
    rmSync(join(folder, 'socket/.s.PGSQL.5432'))
    const newcomer = await leaseEmbeddedServer(folder)
    expect(await responds(newcomer)).toBe(true)
    await Promise.all([lease.release(), newcomer.release()])
  })
})

describe('the embedded server reports what is wrong at once, and leaves nothing running', () => {
  test.each([
    ['', /catalog\.secret, is empty or missing; restore it/],
    ['not the secret', /does not accept the secret in .*catalog\.secret .*password authentication failed/],
  ])('with the secret %j', async (secret, message) => {
    const file = join(folder, 'postgres/catalog.secret')
    const right = readFileSync(file)
    writeFileSync(file, secret)
    const began = Date.now()
    await expect(leaseEmbeddedServer(folder)).rejects.toThrow(message)
    writeFileSync(file, right)
    expect(Date.now() - began).toBeLessThan(30_000)
    expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false)
  })

  test.runIf(isLinux)('fault 6: on a full disk, and works once there is room', async ({ skip }) => {
    const disk = smallDisk(150)
    if (disk === undefined) return skip('a small disk cannot be mounted here; run as root to test a full one')
    const data = join(disk, 'data')
    execFileSync('cp', ['-a', folder, data])
    // The server removes this file when it starts. That would free space on the full disk.
    rmSync(join(data, 'postgres/pg_stat/pgstat.stat'), { force: true })
    for (const left of [0, 40_960]) {
      // A file that the first connection makes; without room for it every connection is refused.
      rmSync(join(data, 'postgres/base/5/pg_internal.init'), { force: true })
      const makeRoom = fillDisk(disk, left)
      const began = Date.now()
      await expect(leaseEmbeddedServer(data)).rejects.toThrow(/the disk of .* is full.*free disk space/s)
      expect(Date.now() - began).toBeLessThan(30_000)
      await expectNoServerIn(data)
      makeRoom()
    }
    const lease = await leaseEmbeddedServer(data)
    expect(await responds(lease)).toBe(true)
    await lease.release()
  })
})

test.runIf(isLinux)('fault 2: what a killed first start was at is ended by the next', async () => {
  const parent = temporaryFolder()
  const child = spawn('true')
  await new Promise((resolve) => child.once('exit', resolve))
  const partial = mkdtempSync(join(parent, `partial-${child.pid}-`))
  mkdirSync(join(partial, 'cluster'))
  const initdb = join(parent, 'initdb')
  copyFileSync('/bin/sh', initdb)
  const left = spawn(initdb, ['-c', 'read forever', join(partial, 'cluster')])
  const ended = new Promise((resolve) => left.once('exit', (_code, name) => resolve(name)))
  await new Promise((resolve) => left.once('spawn', resolve))
  removePartialFolders(parent)
  expect(await ended).toBe('SIGKILL')
  expect(existsSync(partial)).toBe(false)
})
