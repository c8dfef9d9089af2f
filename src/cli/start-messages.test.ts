import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { connectionUrl, emptyDatabase, inDatabase } from '../../test/database/test-database.ts'
import { environment, program } from '../../test/processes/catalog-process.ts'
import { commandRunner } from '../../test/processes/command-runner.ts'
import { dataFolder, temporaryFolder } from '../../test/setup/temporary-folder.ts'
import { explainConnectionError } from '../platform/database/connections/explain-connection-error.ts'
import { serverUser } from '../platform/database/embedded/server-user.ts'

const { catalog } = commandRunner()

/** The error output of a command that fails. */
async function errorOutput(args: string[], extra: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await catalog(['project', 'list', ...args], extra)
  expect(code).toBe(1)
  return stderr
}

describe('the error for a refused connection names the cause:', () => {
  const right = connectionUrl(inject('connection'))
  const changed = (change: (url: URL) => void) => {
    const url = new URL(right)
    change(url)
    return { DATABASE_URL: url.href }
  }

  test('a wrong password', async () => {
    const stderr = await errorOutput(
      [],
      changed((url) => {
        url.password = 'wrong-secret'
      }),
    )
    expect(stderr).toMatch(/refused the password .*correct the user or the password in DATABASE_URL/)
    expect(stderr).not.toMatch(/server runs|wrong-secret/)
  })

  test('a missing database', async () => {
    const missing = connectionUrl(inDatabase(inject('connection'), 'not_there'))
    const stderr = await errorOutput([], { DATABASE_URL: missing })
    expect(stderr).toMatch(
      /does not have this database .*"not_there".*create it, or correct its name in DATABASE_URL/,
    )
    const moved = await catalog(['move', '--data', dataFolder()], { CATALOG_MOVE_TO: missing })
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining('its name in CATALOG_MOVE_TO') })
  })

  test('a server without encryption', async () => {
    const stderr = await errorOutput(
      [],
      changed((url) => url.searchParams.set('sslmode', 'verify-full')),
    )
    expect(stderr).toMatch(/does not support encrypted connections; remove sslmode from DATABASE_URL/)
  })

  test.each([
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "u", no encryption', 'add sslmode=verify-full'],
    ['28000', 'role "u" is not permitted to log in', 'correct the user in DATABASE_URL'],
    ['42501', 'permission denied for database "d"', 'grant it the CONNECT privilege'],
    ['53300', 'sorry, too many clients already', 'raise max_connections'],
    ['57P03', 'the database system is starting up', 'try again when it has started'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'sslrootcert=FILE'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND db', 'correct the host in DATABASE_URL'],
    ['', 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'DATABASE_URL has none'],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'check that the server is running'],
  ])('%s: %s', (code, message, advice) => {
    const error = Object.assign(new Error(message), code === '' ? {} : { code })
    expect(explainConnectionError('PostgreSQL at db', error, 'DATABASE_URL').message).toContain(advice)
  })
})

describe('the error for an unusable data folder names it and the fix:', () => {
  test('a file, or a path below one', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    for (const data of [file, join(file, 'below')])
      expect(await errorOutput(['--data', data])).toContain(`${file} is not a folder`)
  })

  test('a folder without write access', () => {
    const folder = join(temporaryFolder(), 'data')
    mkdirSync(folder)
    chmodSync(folder, 0o555)
    chmodSync(join(folder, '..'), 0o755)
    const { status, stderr } = spawnSync(program, ['project', 'list', '--data', folder], {
      env: environment({}),
      ...serverUser(),
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`cannot write to the data folder ${folder}`),
    ])
    expect(stderr).toContain('change its owner or mode')
  })

  test('a cluster with too open permissions', async () => {
    const folder = dataFolder()
    const cluster = join(folder, 'postgres')
    chmodSync(cluster, 0o777)
    const stderr = await errorOutput(['--data', folder])
    expect(stderr).toContain('has mode 777')
    expect(stderr).toContain(`run "chmod 700 ${cluster}"`)
  })
})

test('the first start on an empty database prints one line about the schema', async () => {
  const empty = { DATABASE_URL: connectionUrl(await emptyDatabase('first')) }
  const first = await catalog(['project', 'list'], empty)
  expect(first).toEqual({ code: 0, stdout: '(none)\n', stderr: 'creating the database schema\n' })
  expect((await catalog(['migrate'], empty)).stderr).toBe('')
})

test('a limit of too few open files is reported, where Node would crash without a message', () => {
  const script = `ulimit -n 20; exec "${program}" project list`
  const { status, stderr } = spawnSync('/bin/sh', ['-c', script], { env: environment({}), encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/limit of open files is 20, but at least 256 are required/),
  ])
})
