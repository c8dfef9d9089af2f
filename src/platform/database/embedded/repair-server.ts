import { embeddedLimits } from '../../limits/database.ts'
import { waitUntil } from '../../scheduling/retry.ts'
import { clearLock, hasLostSocket, postmasterPid } from './lock-file.ts'
import { childrenOf, commandOf, isAlive, sendSignal } from './process.ts'
import type { Server } from './server-connection.ts'

export async function stopServer({ cluster }: Pick<Server, 'cluster'>): Promise<void> {
  const pid = postmasterPid(cluster.folder)
  if (pid === undefined) return
  sendSignal(pid, 'SIGINT')
  await waitUntil(() => !isAlive(pid), 10, embeddedLimits.stopSeconds * 1000)
}

/** A backend that is just being connected calls itself "postgres: … startup". */
export function isRecovering(pid: number | undefined): boolean {
  return childrenOf(pid ?? 0).some((child) => commandOf(child).startsWith('postgres: startup'))
}

/**
 * Mends what keeps a folder locked: what is left of a killed server, a server without its socket, and, when patience is
 * over, one that lost its recovery to a full disk and waits for ever.
 */
export async function repairServer(server: Server, isPatient: boolean): Promise<void> {
  const { folder } = server.cluster
  const pid = postmasterPid(folder)
  if (pid === undefined) await clearLock(folder)
  else if (hasLostSocket(folder, server.socket)) await stopServer(server)
  else if (!isPatient && process.platform === 'linux' && !isRecovering(pid)) await stopServer(server)
}
