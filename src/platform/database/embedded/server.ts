import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { embeddedLimits } from '../../limits/database.ts'
import { repeat, waitUntil } from '../../scheduling/retry.ts'
import { socketFolder } from './data-directory.ts'
import { postmasterPid } from './lock-file.ts'
import { isRecovering } from './repair-server.ts'
import { fullDisk, type Server, tryConnect } from './server-connection.ts'
import { followLog } from './server-log.ts'
import { sharedBuffers } from './server-memory.ts'

// Another server runs on the folder, or processes of a killed server are still running.
const lockedOut =
  /lock file ".*" (already exists|is empty)|bogus data in lock file|pre-existing shared memory block/

const settings = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=200',
  `shared_buffers=${sharedBuffers()}MB`,
  'jit=off',
  'fsync=on',
  'synchronous_commit=on',
  // The log is retained for a week and contains no catalog data.
  'logging_collector=on',
  'log_filename=postgresql-%a.log',
  'log_truncate_on_rotation=on',
  'log_rotation_size=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
]

/** Fewer writes to disk. */
const temporarySettings = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0']

/**
 * Starts the server and waits until it is ready. PostgreSQL's lock file allows only one server per folder. Returns undefined
 * while another process holds that lock: the caller tries again. A server that cannot be used is stopped.
 */
export async function startServer(server: Server): Promise<pg.Client | undefined> {
  if (postmasterPid(server.cluster.folder) !== undefined) return undefined
  const log = followLog(server.cluster.folder, startLog(server))
  const child = launch(server)
  try {
    return await waitUntilReady(server, child, log)
  } catch (error) {
    // Stopping it would restart a long recovery.
    if (!(error instanceof StillRecovering)) await stopChild(child)
    throw error
  }
}

class StillRecovering extends Error {}

async function waitUntilReady(
  server: Server,
  child: ChildProcess,
  log: ReturnType<typeof followLog>,
): Promise<pg.Client | undefined> {
  let nextCheck = Date.now() + embeddedLimits.logCheckMilliseconds
  const found = await repeat(
    { pauses: [25], withinMilliseconds: embeddedLimits.startSeconds * 1000 },
    async () => {
      const client = await tryConnect(server)
      if (client !== undefined || hasEnded(child)) return { client }
      if (Date.now() <= nextCheck) return undefined
      nextCheck = Date.now() + embeddedLimits.logCheckMilliseconds
      // A server without disk space for its recovery keeps trying.
      return /FATAL|PANIC/.test(log.messages()) && log.isFull() ? { client } : undefined
    },
  )
  if (found?.client !== undefined) return found.client
  const messages = hasEnded(child) ? await readLastMessages(log) : log.messages()
  if (hasEnded(child) && lockedOut.test(messages)) return undefined
  if (log.isFull()) throw new Error(fullDisk(server, messages))
  const logFolder = join(server.cluster.folder, 'log')
  if (isRecovering(child.pid))
    throw new StillRecovering(
      `the embedded PostgreSQL is still recovering after ${embeddedLimits.startSeconds} s; start again later (see ${logFolder})`,
    )
  throw new Error(
    `the embedded PostgreSQL did not start: ${messages || 'it logged nothing'} (see also ${logFolder})`,
  )
}

/** The process that writes the log outlives the server, so the reason may be logged slightly later. */
async function readLastMessages(log: ReturnType<typeof followLog>): Promise<string> {
  await waitUntil(() => log.messages() !== '', 10, embeddedLimits.logWaitMilliseconds)
  return log.messages()
}

function startLog({ dataDirectory }: Server): string {
  return join(dataDirectory, 'postgres-start.log')
}

function launch(server: Server): ChildProcess {
  const { installation, user, cluster, dataDirectory, isTemporary } = server
  // Created again in case it was removed.
  const socket = socketFolder(dataDirectory, user)
  const log = openSync(startLog(server), 'a')
  const all = [...settings, `unix_socket_directories="${socket}"`, ...(isTemporary ? temporarySettings : [])]
  const options = all.flatMap((setting) => ['-c', setting])
  // Detached, because Ctrl-C reaches the whole foreground group and the server must outlive the service's last statement.
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

/** Stops a server that has just been started and could not be used. */
async function stopChild(child: ChildProcess): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!hasEnded(child)) child.kill(name)
    await waitUntil(() => hasEnded(child), 10, embeddedLimits.signalMilliseconds)
  }
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined
}
