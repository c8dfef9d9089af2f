import { spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { familyOf } from '../processes/served-shop.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'

type Server = ReturnType<typeof ownServer> & { folder: string }

/** A primary and its synchronous standby. The URL always leads to the primary. */
export async function startServerPair() {
  const [first, second] = [dataFolderOfFile(), dataFolderOfFile()]
  const address = join(second, 'primary')
  let primary: Server = { ...ownServer(first), folder: first }
  await primary.start()
  let standby = await addStandby(primary, second)
  lead(address, primary)
  let isStopped = false
  const url = new URL(primary.url)
  url.searchParams.set('host', address)
  return {
    url: url.href,
    /** Stops the standby, so that the next failover loses what is written from now on. */
    async stopStandby(): Promise<void> {
      await query(primary, `alter system set synchronous_standby_names = ''`, 'select pg_reload_conf()')
      await standby.stop('SIGINT')
      isStopped = true
    },
    /** Kills the primary, promotes the standby, and rebuilds the killed server as its standby. Returns when writes can continue. */
    async failOver(): Promise<void> {
      // Also the backends, which could otherwise return old data after the promotion.
      for (const pid of familyOf(primary.pid())) process.kill(pid, 'SIGKILL')
      await primary.stop('SIGKILL')
      if (isStopped) await standby.start()
      isStopped = false
      await query(standby, 'select pg_promote()')
      lead(address, standby)
      const killed = primary.folder
      primary = standby
      standby = await addStandby(primary, killed)
    },
  }
}

/** Points the address to the server's socket, atomically. */
function lead(address: string, { folder }: Server): void {
  symlinkSync(join(folder, 'socket'), `${address}.new`)
  renameSync(`${address}.new`, address)
}

async function query<Row extends object>(server: Server, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Copies the running primary. Commits wait for the standby once it follows. */
async function addStandby(primary: Server, folder: string): Promise<Server> {
  const cluster = join(folder, 'postgres')
  rmSync(cluster, { recursive: true, force: true })
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  // Files can disappear while they are copied; the log of the backup restores them.
  spawnSync('cp', ['-a', join(primary.folder, 'postgres'), cluster])
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
  for (const [name, content] of [
    ['backup_label', rows[0].labelfile],
    ['standby.signal', ''],
  ]) {
    writeFileSync(join(cluster, name), content)
    const { uid, gid } = statSync(cluster)
    chownSync(join(cluster, name), uid, gid)
  }
  const { username, password, searchParams } = new URL(primary.url)
  const source = `host=${searchParams.get('host')} user=${username} password=${password}`
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  const standby = { ...ownServer(folder), folder }
  await standby.start()
  await query(primary, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
  const following = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
  await expect.poll(() => query(primary, following), { interval: 20 }).toHaveLength(1)
  return standby
}
