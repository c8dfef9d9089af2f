import { spawnSync } from 'node:child_process'
import { describe, expect, inject, test } from 'vitest'
import { connectionUrl, emptyDatabase } from '../../test/database/test-database.ts'
import * as processes from '../../test/processes/catalog-process.ts'
import { commandRunner } from '../../test/processes/command-runner.ts'
import { version } from '../platform/version.ts'

/** Commands connect to the database of the tests instead of starting a server. */
const url = { DATABASE_URL: connectionUrl(inject('connection')) }
const { catalog, catalogJson } = commandRunner(url)

test('bin/catalog passes on the output and the exit code of its command', async () => {
  const listed = await processes.catalog(['project', 'list', '--json'], url)
  expect([listed.code, listed.stderr]).toEqual([0, ''])
  expect(JSON.parse(listed.stdout)).toEqual(expect.any(Array))
  const refused = await processes.catalog(['project', 'create', '--name', 'x', '--plan', 'gold'], url)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('free, pro, enterprise')
})

describe('catalog project', () => {
  test('creates, lists and changes projects', async () => {
    const created = await catalogJson(['project', 'create', '--name', ' Garden shop ', '--currency', 'USD'])
    expect(created).toMatchObject({
      id: expect.any(Number),
      name: 'Garden shop',
      plan: 'free',
      currency: 'USD',
      api_access: 'plan',
      rate_limit: 'plan',
    })
    const id = String(created.id)
    const changed = await catalogJson([
      'project',
      'set',
      id,
      '--plan',
      'pro',
      '--api-access',
      'off',
      '--rate-limit',
      '50',
    ])
    expect(changed).toMatchObject({ id: created.id, plan: 'pro', api_access: 'off', rate_limit: '50' })
    expect(await catalogJson(['project', 'set', id, '--rate-limit', 'none'])).toMatchObject({
      plan: 'pro',
      api_access: 'off',
      rate_limit: 'none',
    })
    const limit = (scopes: string) => catalogJson(['project', 'set', id, '--self-service-scopes', scopes])
    expect(await limit('products:read')).toMatchObject({ self_service_scopes: ['products:read'] })
    expect(await limit('all')).toMatchObject({ self_service_scopes: null })
    expect(await catalogJson(['project', 'list'])).toContainEqual(
      expect.objectContaining({ id: created.id, plan: 'pro' }),
    )
  })

  test.each([
    [['project', 'create'], '--name'],
    [['project', 'create', '--name', '  '], 'name must'],
    [['project', 'create', '--name', 'x', '--plan', 'gold'], 'free, pro, enterprise'],
    [['project', 'create', '--name', 'x', '--currency', 'euro'], 'ISO 4217'],
    [['project', 'set', '999999999', '--plan', 'pro'], 'no project 999999999'],
    [['project', 'set', 'abc'], 'whole number'],
    [['project', 'set', '1', '--api-access', 'maybe'], 'on, off, plan'],
    [['project', 'set', '1', '--rate-limit', '-5'], 'requests per second'],
    [['project', 'sett', '1'], 'unknown command'],
    [['token', 'create', '--project', '999999999'], 'no project 999999999'],
    [['token', 'create', '--project', '1', '--scopes', 'products:raed'], '"products:raed" is not a scope'],
    [['token', 'create', '--project', '1', '--name', ''], 'name must'],
    [['access', 'decline', '1', '--reason', ' '], 'reason must'],
    [['token', 'create', '--project', '1', '--expires', 'tomorrow'], '2027-01-31'],
    [['token', 'create', '--project', '1', '--expires', '2020-01-01'], 'past'],
    [['token', 'list', '--project', '999999999'], 'no project 999999999'],
    [['token', 'revoke', '999999999'], 'no token 999999999'],
    [['token', 'rotate', '999999999'], 'no token 999999999'],
    [['token', 'rotate', '1', '--overlap', 'soon'], '24h'],
    [['serve', '--port', '99999'], 'port'],
    [['serve', '--host', '0.0.0.0'], 'loopback only'],
    [['nonsense'], 'unknown command'],
  ])('catalog %j fails with a clear line and a non-zero exit', async (args, message) => {
    const { code, stdout, stderr } = await catalog(args)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/at .*\.ts:\d+/)
  })
})

describe('catalog token', () => {
  test('issues, lists, rotates and revokes; the secret is shown once', async () => {
    const { id: project } = await catalogJson(['project', 'create', '--name', 'T', '--plan', 'pro'])
    const args = [
      'token',
      'create',
      '--project',
      String(project),
      '--name',
      'Shop',
      '--scopes',
      'products:read,prompts:read',
      '--expires',
      '2099-01-31',
    ]
    const issued = await catalogJson(args)
    expect(issued).toMatchObject({
      project,
      name: 'Shop',
      scopes: ['products:read', 'prompts:read'],
      expires_at: '2099-01-31T00:00:00.000Z',
    })
    expect(issued.token).toMatch(/^cat_/)
    const rotated = await catalogJson(['token', 'rotate', String(issued.id), '--overlap', '1h'])
    expect(rotated).toMatchObject({ name: 'Shop', scopes: issued.scopes, expires_at: issued.expires_at })
    await catalogJson(['token', 'revoke', String(rotated.id)])
    const list = await catalog(['token', 'list', '--project', String(project), '--json'])
    expect(list.stdout).not.toContain('cat_')
    const [old, latest] = JSON.parse(list.stdout)
    expect(Date.parse(old.expires_at)).toBeLessThan(Date.now() + 3_600_000)
    expect(latest.revoked_at).toBeTruthy()
    expect(latest.last_characters).toBe(rotated.token.slice(-4))
  })
})

describe('help', () => {
  test.each([
    [[]],
    [['serve']],
    [['project', 'create']],
    [['project', 'set']],
    [['token', 'create']],
    [['token', 'rotate']],
    [['user', 'create']],
    [['access', 'approve']],
    [['demo']],
    [['migrate']],
    [['doctor']],
    [['openapi']],
  ])('catalog %j --help shows an example and exits 0', async (args) => {
    const { code, stdout } = await catalog([...args, '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Examples?:\n {2}.*catalog /)
  })

  test('without --json, the output is a table', async () => {
    const { stdout } = await catalog(['project', 'list'])
    expect(stdout.split('\n')[0]).toMatch(/^id +name +plan /)
  })
})

test.each(['--version', '-V'])('catalog %s prints the version', async (option) => {
  const { code, stdout } = await catalog([option])
  expect([code, stdout]).toEqual([0, `${version}\n`])
})

test('catalog openapi needs no database', async () => {
  const { code, stdout } = await catalog(['openapi'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).openapi).toBe('3.1.0')
})

test('catalog migrate lists the applied migrations, and none the second time', async () => {
  const environment = { DATABASE_URL: connectionUrl(await emptyDatabase('migrated')) }
  const first = await catalogJson(['migrate'], environment)
  expect(first.applied).toContain('0001_projects_and_tokens.sql')
  expect(await catalogJson(['migrate'], environment)).toEqual({ applied: [] })
})

test('a token that cannot be printed is an error', async () => {
  const { id } = await catalogJson(['project', 'create', '--name', 'Full'])
  const run = spawnSync('sh', ['-c', `"${processes.program}" token create --project ${id} > /dev/full`], {
    env: { PATH: process.env['PATH'], ...url },
    encoding: 'utf8',
  })
  expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('cannot write the output')])
})

test('times are in UTC, whatever time zone the server and the URL set', async () => {
  const berlin = `${url['DATABASE_URL']}${url['DATABASE_URL']?.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c TimeZone=Europe/Berlin')}`
  const created = await catalogJson(['project', 'create', '--name', 'UTC'], { DATABASE_URL: berlin })
  expect(Math.abs(Date.parse(created.created_at) - Date.now())).toBeLessThan(60_000)
  expect(created.created_at).toMatch(/Z$/)
})

test('fault 5: a database that cannot be reached is named, without its password', async () => {
  for (const args of [['serve', '--port', '0'], ['migrate']]) {
    const { code, stderr } = await catalog(args, { DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/none' })
    expect(code).toBe(1)
    expect(stderr).toContain('127.0.0.1:1/none cannot be reached')
    expect(stderr).not.toContain('secret')
  }
})

describe('catalog demo', () => {
  test('does not change a database that contains projects', async () => {
    const { code, stderr } = await catalog(['demo'])
    expect(code).toBe(1)
    expect(stderr).toContain('already contains projects')
  })
})
