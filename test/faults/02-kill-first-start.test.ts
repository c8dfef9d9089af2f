import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { dataParent, temporaryFolder } from '../setup/temporary-folder.ts'
import { inFolder } from './check-writes.ts'
import { recordFigures } from './figures.ts'

const holder = fileURLToPath(new URL('../database/hold-lease.ts', import.meta.url))

test('fault 2: the next start has an intact server, whenever earlier starts were killed', async (context) => {
  const folder = temporaryFolder(dataParent())
  const has = (name: string) => existsSync(join(folder, name))
  const points = [
    () => true,
    () => readdirSync(folder).some((name) => name.startsWith('partial-')),
    () => has('postgres'),
    () => has('postgres-start.log'),
    () => has('postgres/postmaster.pid'),
    () => has('socket/.s.PGSQL.5432'),
  ]
  for (const isReached of points) {
    const child = spawn(process.execPath, [holder, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
    await expect.poll(isReached, { interval: 1 }).toBe(true)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  expect(await inFolder(folder, (database) => database.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
  recordFigures(context, {
    tried: points.length,
    of: 'kills at chosen points',
    survived: points.length,
    lost: 0,
  })
})
