import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { major, majorOf, openCluster } from '../../platform/database/embedded/cluster.ts'
import { chooseDataDirectory, socketFolder } from '../../platform/database/embedded/data-directory.ts'
import { leaseEmbeddedServer } from '../../platform/database/embedded/lease.ts'
import { postmasterPid } from '../../platform/database/embedded/lock-file.ts'
import { refuseMoved } from '../../platform/database/embedded/moved-marker.ts'
import { findOlderPrograms } from '../../platform/database/embedded/older-programs.ts'
import { removeDataFolder } from '../../platform/database/embedded/remove-data-folder.ts'
import type { Server } from '../../platform/database/embedded/server-connection.ts'
import { serverUser } from '../../platform/database/embedded/server-user.ts'
import {
  finishSwap,
  forgetNext,
  offerNext,
  swapClusters,
} from '../../platform/database/embedded/swap-clusters.ts'
import { waitUntil } from '../../platform/scheduling/retry.ts'
import { operationLimits } from '../limits.ts'
import { type CopyOptions, copyExclusively, requireCluster, withExclusiveServer } from './exclusive-copy.ts'

export type UpgradeOptions = CopyOptions<'ready' | 'apart'> & {
  /** Folder with the programs of the older PostgreSQL. */
  programs?: string
}
export type UpgradeStep = Parameters<NonNullable<UpgradeOptions['onStep']>>[0]

export type Upgraded = { from: string; to: string; older: string }

/**
 * Copies a cluster of an older PostgreSQL into a new one and replaces it. The older cluster stays under another name.
 * Returns undefined if the cluster is already current.
 */
export async function upgradePostgres(
  given: string | undefined,
  { programs, ...options }: UpgradeOptions = {},
): Promise<Upgraded | undefined> {
  const dataDirectory = requireCluster(given)
  finishSwap(dataDirectory)
  refuseMoved(dataDirectory)
  const from = majorOf(join(dataDirectory, 'postgres'))
  if (from === major) return undefined
  if (Number(from) > Number(major))
    throw new Error(
      `${dataDirectory} was created by PostgreSQL ${from}, but this version includes ${major}; use a newer version`,
    )
  const older = join(dataDirectory, `postgres-${from}`)
  if (existsSync(older))
    throw new Error(`${older} already exists; move it elsewhere, then run this command again`)
  await buildNextCluster(olderServer(given, from, programs), options)
  options.onStep?.('ready')
  swapClusters(dataDirectory, older, () => options.onStep?.('apart'))
  return { from, to: major, older }
}

function olderServer(given: string | undefined, from: string, programs: string | undefined): Server {
  const user = serverUser()
  const dataDirectory = chooseDataDirectory(given, user)
  const installation = findOlderPrograms(from, user, dataDirectory, programs)
  const cluster = openCluster(join(dataDirectory, 'postgres'), user)
  return { installation, user, cluster, socket: socketFolder(dataDirectory, user), dataDirectory }
}

/** Only this process can use the older server while it runs, so no other process can start an upgrade. */
async function buildNextCluster(server: Server, options: CopyOptions<never>): Promise<void> {
  const { dataDirectory, cluster } = server
  // A separate data folder inside the other.
  const work = join(dataDirectory, 'upgrade')
  const removeWork = async () => {
    forgetNext(dataDirectory)
    await removeDataFolder(work)
  }
  await withExclusiveServer(server, options, async (lease) => {
    // Left by a killed process.
    await removeWork()
    try {
      await copyExclusively(lease, server, () => openNextCluster(work), { ...options, kind: 'upgrade' })
      offerNext(dataDirectory, join(work, 'postgres'))
      rmSync(work, { recursive: true, force: true })
      if (!(await lease.isHeld())) throw lease.lost.reason
    } catch (error) {
      // The disk may be full, so free the space for the older server.
      if (!lease.lost.aborted) await removeWork().catch(() => {})
      throw error
    }
  })
  await waitUntilStopped(cluster.folder)
}

async function openNextCluster(work: string) {
  const { connection, release } = await leaseEmbeddedServer(work)
  return {
    connection,
    async release() {
      await release()
      await waitUntilStopped(join(work, 'postgres'))
      // If the path is too long for a socket, the socket is in another folder.
      rmSync(String(connection.host), { recursive: true, force: true })
    },
  }
}

/** A clean shutdown writes everything to disk and removes the lock file. */
async function waitUntilStopped(folder: string): Promise<void> {
  const hasLock = () => existsSync(join(folder, 'postmaster.pid'))
  const hasStopped = () => !hasLock() || postmasterPid(folder) === undefined
  await waitUntil(hasStopped, 50, operationLimits.upgradeStopSeconds * 1000)
  if (hasLock())
    throw new Error(`the PostgreSQL in ${folder} did not shut down cleanly; run this command again`)
}
