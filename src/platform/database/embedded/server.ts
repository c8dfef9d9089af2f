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

const endMilliseconds = 2_000
const lookMilliseconds = 500
const lastWordsMilliseconds = 2_000
// Another server holds the folder, or what is left of a killed one has not gone yet.
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
  // The log is kept for a week and holds no values of the catalog.
  'logging_collector=on',
  'log_filename=postgresql-%a.log',
  'log_truncate_on_rotation=on',
  'log_rotation_size=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
]

/**
 * Starts the server and waits for it. PostgreSQL's own lock file lets only one run, whoever else tries; while another
 * holds the lock, undefined says: look again. A server that cannot be used is not left behind.
 */
export async function startServer(server: Server): Promise<pg.Client | undefined> {
  if (postmasterPid(server.cluster.folder) !== undefined) return undefined
  const log = followLog(server.cluster.folder, startLog(server))
  const child = launch(server)
  try {
    return await untilAnswers(server, child, log)
  } catch (error) {
    // A long recovery would begin anew.
    if (!(error instanceof StillRecovering)) await end(child)
    throw error
  }
}

class StillRecovering extends Error {}

async function untilAnswers(
  server: Server,
  child: ChildProcess,
  log: ReturnType<typeof followLog>,
): Promise<pg.Client | undefined> {
  let nextLook = Date.now() + lookMilliseconds
  const found = await repeat(
    { pauses: [25], withinMilliseconds: embeddedLimits.startSeconds * 1000 },
    async () => {
      const client = await tryConnect(server)
      if (client !== undefined || hasEnded(child)) return { client }
      if (Date.now() <= nextLook) return undefined
      nextLook = Date.now() + lookMilliseconds
      // A server without room for its recovery tries again and again.
      return /FATAL|PANIC/.test(log.words()) && log.isFull() ? { client } : undefined
    },
  )
  if (found?.client !== undefined) return found.client
  const words = hasEnded(child) ? await lastWords(log) : log.words()
  if (hasEnded(child) && lockedOut.test(words)) return undefined
  if (log.isFull()) throw new Error(fullDisk(server, words))
  const logFolder = join(server.cluster.folder, 'log')
  if (isRecovering(child.pid))
    throw new StillRecovering(
      `the embedded PostgreSQL is still recovering after ${embeddedLimits.startSeconds} s; start again later (see ${logFolder})`,
    )
  throw new Error(
    `the embedded PostgreSQL did not start: ${words || 'no word from it'} (see also ${logFolder})`,
  )
}

/** The process that writes the log ends after its server: why the server ended may come a moment later. */
async function lastWords(log: ReturnType<typeof followLog>): Promise<string> {
  await waitUntil(() => log.words() !== '', 10, lastWordsMilliseconds)
  return log.words()
}

function startLog({ dataDirectory }: Server): string {
  return join(dataDirectory, 'postgres-start.log')
}

function launch(server: Server): ChildProcess {
  const { installation, user, cluster, dataDirectory } = server
  // Made anew where somebody removed it.
  const socket = socketFolder(dataDirectory, user)
  const log = openSync(startLog(server), 'a')
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

/** A server that we started a moment ago, and nobody could use. */
async function end(child: ChildProcess): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!hasEnded(child)) child.kill(name)
    await waitUntil(() => hasEnded(child), 10, endMilliseconds)
  }
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined
}
