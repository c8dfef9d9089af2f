import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { connectionUrl, emptyDatabase, ownDatabase } from '../../../../test/database/test-database.ts'
import { catalog as catalogProcess, spawnCatalog } from '../../../../test/processes/catalog-process.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })

test('a backup can be restored while no service runs, and a modified file is rejected', async () => {
  const file = join(temporaryFolder(), 'one.backup')
  const from = { DATABASE_URL: connectionUrl(await ownDatabase('command')) }
  const target = await emptyDatabase('command')
  const to = { DATABASE_URL: connectionUrl(target) }
  await catalogJson(['project', 'create', '--name', 'Shop'], from)
  const { projects, rows, keys } = await catalogJson(['backup', '--output', file], from)
  expect([projects, rows > 0, keys]).toEqual([1, true, 'not included'])
  const withKeys = await catalogJson(['backup', '--output', `${file}.keys`, '--include-keys'], from)
  expect(withKeys.keys).toBe('included')

  const service = openDatabase({ connection: target, poolSize: 1, statementTimeoutSeconds: 0 })
  await service.query(sql`select`)
  const used = await catalog(['restore', file], to)
  await service.close()
  expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('a service or command is using the')])
  const { code, stdout } = await catalog(['restore', file], to)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^sessions +not restored; all users have to sign in again$/m),
  ])
  expect(stdout).toMatch(/^ai_providers +disabled, and runs in progress are paused/m)
  expect(await catalogJson(['project', 'list'], to)).toMatchObject([{ name: 'Shop' }])

  const again = await catalog(['restore', file], to)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('it contains the project "Shop"')])
  const bytes = readFileSync(file)
  bytes[1000] = (bytes[1000] as number) ^ 1
  writeFileSync(file, bytes)
  const altered = await catalog(['restore', file], to)
  expect([altered.code, altered.stderr]).toEqual([1, expect.stringContaining('was modified')])
})

test('an invalid file is rejected before a cluster is created', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'no.backup')
  writeFileSync(file, 'something else')
  const data = join(folder, 'restored')
  const refused = { code: 1, stderr: expect.stringContaining('is not a Catalog Service backup') }
  expect(await catalog(['restore', file, '--data', data])).toMatchObject(refused)
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  expect(await catalogProcess(['backup', 'verify', file], { TMPDIR: temporary })).toMatchObject(refused)
  expect([existsSync(data), readdirSync(temporary)]).toEqual([false, []])
})

test('the error for a missing temporary folder names it and the fix', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'one.backup')
  await catalogJson(['backup', '--output', file])
  const TMPDIR = join(folder, 'nowhere')
  const { code, stderr } = await catalogProcess(['backup', 'verify', file], { TMPDIR })
  expect([code, stderr]).toEqual([1, expect.stringContaining(`cannot use the temporary folder ${TMPDIR}`)])
  expect(stderr).toContain('set TMPDIR to another folder')
})

test('a killed backup leaves no backup file', async () => {
  const folder = temporaryFolder()
  const connection = await ownDatabase('killed')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  await database.transaction(async (tx) => {
    await tx.script('lock table products in access exclusive mode')
    const child = spawnCatalog(['backup', '--output', join(folder, 'one.backup')], {
      DATABASE_URL: connectionUrl(connection),
    })
    await expect.poll(() => readdirSync(folder)).toEqual([expect.stringMatching(/\.partial$/)])
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
  })
  await database.close()
  expect(readdirSync(folder)).not.toContain('one.backup')
})
