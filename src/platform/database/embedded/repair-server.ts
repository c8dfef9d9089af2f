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

/** The title of a recovering process starts with "postgres: startup"; the title of a new backend ends with "startup". */
export function isRecovering(pid: number | undefined): boolean {
  return childrenOf(pid ?? 0).some((child) => commandOf(child).startsWith('postgres: startup'))
}

/**
 * Removes what keeps a folder locked: processes of a killed server, a server without its socket, and, after a time limit,
 * a server whose recovery failed on a full disk and that waits forever.
 */
export async function repairServer(server: Server, isWithinLimit: boolean): Promise<void> {
  const { folder } = server.cluster
  const pid = postmasterPid(folder)
  if (pid === undefined) await clearLock(folder)
  else if (hasLostSocket(folder, server.socket)) await stopServer(server)
  else if (!isWithinLimit && process.platform === 'linux' && !isRecovering(pid)) await stopServer(server)
}
