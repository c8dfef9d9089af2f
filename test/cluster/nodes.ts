import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf } from '../../src/platform/database/embedded/process.ts'
import { writeConfiguration } from './configuration.ts'
import type { Network } from './network.ts'
import { kill, killProcess, start } from './processes.ts'

/** A machine of the cluster: etcd, and PostgreSQL under Patroni. */
export type Node = ReturnType<typeof createNode>

export const passwords = {
  SUPERUSER_PASSWORD: 'superuser-of-the-test',
  REPLICATION_PASSWORD: 'replication-of-the-test',
  REWIND_PASSWORD: 'rewind-of-the-test',
}

const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']

export function createNode(network: Network, index: number, root: string) {
  const name = `node${index + 1}`
  const folder = join(root, name)
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  const begin = [...network.enter(index), ...(isRoot ? asPostgres : [])]
  const values = valuesOf(network, index, folder)
  mkdirSync(join(folder, 'sockets'), { recursive: true })
  const etcdFile = writeConfiguration('etcd.conf', folder, values)
  const patroniFile = writeConfiguration('patroni.yml', folder, values)
  if (isRoot) execFileSync('chown', ['-R', 'postgres:postgres', folder])
  chmodSync(folder, 0o755)
  let etcd: ChildProcess | undefined
  let patroni: ChildProcess | undefined

  function postmaster(): number | undefined {
    const file = join(data, 'postmaster.pid')
    return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined
  }

  function signal(name: NodeJS.Signals): void {
    const server = postmaster()
    const family = server === undefined ? [] : [server, ...childrenOf(server)]
    patroni?.kill(name)
    for (const pid of family) process.kill(pid, name)
  }

  return {
    name,
    index,
    address: network.addresses[index] as string,
    startEtcd(): void {
      const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch }
      etcd = start([...begin, 'etcd', '--config-file', etcdFile], join(root, `${name}-etcd.log`), env)
    },
    startPatroni(): void {
      patroni = start([...begin, 'patroni', patroniFile], join(root, `${name}-patroni.log`))
    },
    /** Like a power failure, but etcd keeps running. This is harder, because the lease of the dead primary remains. */
    async killServer(): Promise<void> {
      const server = postmaster()
      const backends = server === undefined ? [] : childrenOf(server)
      if (patroni !== undefined) await kill(patroni)
      if (server !== undefined) await killProcess(server)
      for (const pid of backends) await killProcess(pid)
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async stop(): Promise<void> {
      await this.killServer()
      if (etcd !== undefined) await kill(etcd)
    },
  }
}

function valuesOf({ addresses, range }: Network, index: number, folder: string): Record<string, string> {
  return {
    ...passwords,
    NAME: `node${index + 1}`,
    ADDRESS: addresses[index] as string,
    ...Object.fromEntries(addresses.map((address, other) => [`ADDRESS_${other + 1}`, address])),
    NETWORK: range,
    ETCD_DATA: join(folder, 'etcd'),
    POSTGRES_DATA: join(folder, 'data'),
    SOCKETS: join(folder, 'sockets'),
  }
}
