import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { failureOf, sqlState } from '../failures.ts'
import { type Cluster, superuser } from './cluster.ts'
import type { Installation } from './installation.ts'
import { childrenOf, commandOf, isAlive } from './process.ts'
import type { ServerUser } from './server-user.ts'

export type Server = {
  installation: Installation
  user: ServerUser
  cluster: Cluster
  socket: string
  startLog: string
}

const startSeconds = 60
const stopSeconds = 8
// Another server holds the folder, or what is left of a killed one has not gone yet.
const lockedOut = /lock file ".*" already exists|pre-existing shared memory block/

const settings = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=200',
  'shared_buffers=256MB',
  'jit=off',
  'fsync=on',
  'synchronous_commit=on',
  // The log is kept for a week and holds no values of the catalog.
  'logging_collector=on',
  'log_filename=postgresql-%a.log',
  'log_truncate_on_rotation=on',
  'log_rotation_size=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
]

export function connectionTo({ socket, cluster }: Server): pg.ClientConfig {
  // ssl is said, because PGSSLMODE of the user's environment is meant for another server.
  return {
    host: socket,
    port: 5432,
    user: superuser,
    password: cluster.password,
    database: 'postgres',
    ssl: false,
  }
}

/** A connection to the running server, or undefined while there is none. Starting up and shutting down count as none. */
export async function tryConnect(server: Server): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connectionTo(server),
    connectionTimeoutMillis: 5000,
    application_name: 'catalog-lease',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    if (sqlState(error) !== 'EACCES' && failureOf(error) === 'database_unavailable') return undefined
    throw error
  }
}

/**
 * Starts the server and waits for it. PostgreSQL's own lock file lets only one run, whoever else tries; while one that
 * is ending still holds the lock, ours gives up, and undefined says: look again.
 */
export async function start(server: Server): Promise<pg.Client | undefined> {
  const logStart = statSync(server.startLog, { throwIfNoEntry: false })?.size ?? 0
  const child = launch(server)
  const deadline = Date.now() + startSeconds * 1000
  while (Date.now() < deadline) {
    const client = await tryConnect(server)
    if (client !== undefined) return client
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) break
    await sleep(25)
  }
  const words = readFileSync(server.startLog).subarray(logStart).toString().trim()
  if (lockedOut.test(words)) return undefined
  const log = join(server.cluster.folder, 'log')
  throw new Error(`the embedded PostgreSQL did not start: ${words || 'no word from it'} (see also ${log})`)
}

function launch({ installation, user, cluster, socket, startLog }: Server): ChildProcess {
  const log = openSync(startLog, 'a')
  const options = [...settings, `unix_socket_directories="${socket}"`].flatMap((setting) => ['-c', setting])
  // Detached: Ctrl-C reaches the whole foreground group, and the server must outlive the service's last statement.
  const child = spawn(installation.postgres, ['-D', cluster.folder, ...options], {
    ...user,
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.on('error', () => {})
  child.unref()
  return child
}

export async function stop(server: Server): Promise<void> {
  const pid = postmasterPid(server)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + stopSeconds * 1000
  while (isAlive(pid) && Date.now() < deadline) await sleep(10)
}

/**
 * A folder that stays locked though nobody answers: the lock file names a process that is no server of ours (ids are
 * reused after a reset), or a server that lost its recovery to a full disk and waits for ever. Both are cleared away.
 */
export async function clearStaleLock(server: Server): Promise<void> {
  const pid = postmasterPid(server)
  if (pid === undefined || process.platform !== 'linux') return
  if (!commandOf(pid).includes(server.cluster.folder)) {
    if (postmasterPid(server) === pid) rmSync(join(server.cluster.folder, 'postmaster.pid'), { force: true })
  } else if (!childrenOf(pid).some((child) => commandOf(child).includes('startup'))) {
    await stop(server)
  }
}

/** The first line of the file that PostgreSQL keeps while it runs. */
function postmasterPid({ cluster }: Server): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster.folder, 'postmaster.pid'), 'utf8'), 10)
    return isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}
