import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inDatabase } from '../../test/database/test-database.ts'
import { serve } from '../../test/processes/catalog-process.ts'
import { commandRunner } from '../../test/processes/command-runner.ts'
import { dataFolder } from '../../test/setup/temporary-folder.ts'
import { loadConfig } from '../config.ts'
import { runChecks } from '../operations/doctor/run-checks.ts'
import { openDatabase } from '../platform/database/database.ts'
import { leaseEmbeddedServer } from '../platform/database/embedded/lease.ts'
import { migrate } from '../platform/database/migrate.ts'
import { sql } from '../platform/database/sql.ts'

const isStandby = 'the database is a standby, which accepts no writes until it is promoted to primary'

test('fault 29: commands, doctor and /readyz report a standby, and the service works once it is promoted', async () => {
  const folder = dataFolder()
  writeFileSync(join(folder, 'postgres/standby.signal'), '')
  const { url, stderr, stop } = await serve(['--data', folder, '--log-level', 'silent'])
  expect(stderr()).toContain(`warning: ${isStandby}`)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ code: 'not_ready', detail: expect.stringContaining(isStandby) })
  const { catalog } = commandRunner({ CATALOG_DATA: folder })
  const { code, stderr: words } = await catalog(['project', 'create', '--name', 'x'])
  expect([code, words]).toEqual([1, expect.stringContaining(`catalog: ${isStandby}; set DATABASE_URL`)])
  const checks = await runChecks(() => loadConfig({ dataDirectory: folder }, {}))
  expect(checks.find(({ check }) => check === 'writes')).toMatchObject({
    status: 'warning',
    detail: isStandby,
  })

  const lease = await leaseEmbeddedServer(folder)
  const open = (name: string) =>
    openDatabase({ connection: inDatabase(lease.connection, name), poolSize: 1, statementTimeoutSeconds: 0 })
  // Without a schema there is nothing to be served from.
  const bare = open('template1')
  await expect(migrate(bare)).rejects.toThrow(`${isStandby}, but migrations must be applied first`)
  await bare.close()

  const database = open('postgres')
  await database.query(sql`select pg_promote()`)
  await database.close()
  await lease.release()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await stop()
})
