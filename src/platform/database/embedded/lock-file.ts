import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedLimits } from '../../limits/database.ts'
import { waitUntil } from '../../scheduling/retry.ts'
import { commandOf, isAlive, parentOf, processesIn, sendSignal } from './process.ts'

/** `postmaster.pid`, which exists while PostgreSQL runs: its process ID is in the first line, its state in the eighth. */
type LockFile = { pid: number | undefined; isReady: boolean }

const program = 'postgres'

function readLock(folder: string): LockFile | undefined {
  try {
    const lines = readFileSync(fileIn(folder), 'utf8').split('\n')
    const pid = Number(/^[1-9]\d*$/.exec(lines[0] ?? '')?.[0])
    return { pid: pid > 1 ? pid : undefined, isReady: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

/** The process ID of the server that runs on the folder. Another process can have reused the ID in the file. */
export function postmasterPid(folder: string): number | undefined {
  const pid = readLock(folder)?.pid
  if (pid === undefined || !isAlive(pid)) return undefined
  return process.platform !== 'linux' || commandOf(pid).includes(folder) ? pid : undefined
}

/** A server creates its socket once, before it is ready. Without the socket, no process can connect. */
export function hasLostSocket(folder: string, socketFolder: string): boolean {
  if (readLock(folder)?.isReady !== true || existsSync(join(socketFolder, '.s.PGSQL.5432'))) return false
  // Read again, because a server that stops removes its socket before its lock file.
  return postmasterPid(folder) !== undefined && readLock(folder)?.isReady === true
}

/**
 * Removes what keeps the next server from starting though none runs: backends that outlived a killed server, and a lock
 * file that is empty, garbage, or names a process that is no server (ids are reused after a reset).
 */
export async function clearLock(folder: string): Promise<void> {
  if (process.platform !== 'linux') return
  const lock = readLock(folder)
  if (lock === undefined) return
  const isHeld = lock.pid !== undefined && isAlive(lock.pid)
  // A process that we may not inspect may be a server.
  if (isHeld && (commandOf(lock.pid ?? 0) === '' || postmasterPid(folder) !== undefined)) return
  if (lock.pid !== undefined && !isHeld) await endOrphans(folder)
  if (processesIn(folder, program).length === 0 && readLock(folder)?.pid === lock.pid)
    rmSync(fileIn(folder), { force: true })
}

/** The same that their server would do to them: what they were at is undone by recovery. */
async function endOrphans(folder: string): Promise<void> {
  for (const pid of orphansIn(folder)) sendSignal(pid, 'SIGQUIT')
  await waitUntil(() => orphansIn(folder).length === 0, 20, embeddedLimits.orphanMilliseconds)
  for (const pid of orphansIn(folder)) sendSignal(pid, 'SIGKILL')
}

/** Backends name themselves; the server, theirs or a new one, keeps the command it was started by, with its folder. */
function orphansIn(folder: string): number[] {
  return processesIn(folder, program).filter(
    (pid) => commandOf(pid).startsWith('postgres: ') && !commandOf(parentOf(pid)).includes(folder),
  )
}

function fileIn(folder: string): string {
  return join(folder, 'postmaster.pid')
}
