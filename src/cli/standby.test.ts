import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalog, serve } from '../../test/catalog-process.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { loadConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { leaseEmbeddedServer } from '../database/embedded/lease.ts'
import { migrate } from '../database/migrate.ts'
import { sql } from '../database/sql.ts'
import { runChecks } from '../doctor/run-checks.ts'

const isStandby = 'the database is a standby, which takes no writes before it is promoted to primary'

async function on<Result>(folder: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const { connection, release } = await leaseEmbeddedServer(folder)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    return await work(database)
  } finally {
    await database.close()
    await release()
  }
}

test('a standby is called so by commands, doctor and /readyz, and served once it is promoted', async () => {
  const folder = temporaryFolder()
  const signal = join(folder, 'postgres/standby.signal')
  await (await leaseEmbeddedServer(folder)).release()

  // Without a schema there is nothing to be served from.
  writeFileSync(signal, '')
  await expect(on(folder, migrate)).rejects.toThrow(`${isStandby}, and migrations are to be applied first`)
  rmSync(signal)
  await on(folder, migrate)

  writeFileSync(signal, '')
  const { url, stderr, stop } = await serve(['--data', folder, '--log-level', 'silent'])
  expect(stderr()).toContain(`warning: ${isStandby}`)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ code: 'not_ready', detail: expect.stringContaining(isStandby) })
  const { code, stderr: words } = await catalog(['project', 'create', '--name', 'x', '--data', folder])
  expect([code, words]).toEqual([1, expect.stringContaining(`catalog: ${isStandby}; name a server`)])
  const checks = await runChecks(() => loadConfig({ dataDirectory: folder }, {}))
  expect(checks.find(({ check }) => check === 'writes')).toMatchObject({
    status: 'warning',
    detail: isStandby,
  })

  await on(folder, (database) => database.query(sql`select pg_promote()`))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await stop()
})
