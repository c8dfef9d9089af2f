import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { operationLimits } from '../limits.ts'
import { type CopyOptions, copyAlone, requireCluster, withServerAlone } from './copy-alone.ts'

export type UpgradeOptions = CopyOptions<'ready' | 'apart'> & {
  /** Folder with the programs of the older PostgreSQL. */
  programs?: string
}
export type UpgradeStep = Parameters<NonNullable<UpgradeOptions['onStep']>>[0]

export type Upgraded = { from: string; to: string; older: string }

/**
 * Copies a cluster of an older PostgreSQL into one of this version's, and puts that in its place. The older one stays, under another
 * name. Undefined where there is nothing to do.
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
      `${dataDirectory} was made by PostgreSQL ${from}, and this version brings ${major}; run a newer one`,
    )
  const older = join(dataDirectory, `postgres-${from}`)
  if (existsSync(older)) throw new Error(`${older} exists already; move it elsewhere, and run this again`)
  await makeNext(olderServer(given, from, programs), options)
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

/** The older server runs until the end, for us alone: no other process can use it, or begin the same. */
async function makeNext(server: Server, options: CopyOptions<never>): Promise<void> {
  const { dataDirectory, cluster } = server
  // A data folder of its own inside the other.
  const work = join(dataDirectory, 'upgrade')
  const clearAway = async () => {
    forgetNext(dataDirectory)
    await removeDataFolder(work)
  }
  await withServerAlone(server, options, async (lease) => {
    // What a process left that was killed.
    await clearAway()
    try {
      await copyAlone(lease, server, () => openNext(work), { ...options, kind: 'upgrade' })
      offerNext(dataDirectory, join(work, 'postgres'))
      rmSync(work, { recursive: true, force: true })
      if (!(await lease.isHeld())) throw lease.lost.reason
    } catch (error) {
      // The disk may be full: nothing that is of no use any more takes room from the older server.
      if (!lease.lost.aborted) await clearAway().catch(() => {})
      throw error
    }
  })
  await untilStopped(cluster.folder)
}

async function openNext(work: string) {
  const { connection, release } = await leaseEmbeddedServer(work)
  return {
    connection,
    async release() {
      await release()
      await untilStopped(join(work, 'postgres'))
      // Of a path that is too long for a socket it is elsewhere.
      rmSync(String(connection.host), { recursive: true, force: true })
    },
  }
}

/** A server that ends in order has everything on disk, and takes its lock file along. */
async function untilStopped(folder: string): Promise<void> {
  const deadline = Date.now() + operationLimits.upgradeStopSeconds * 1000
  const isThere = () => existsSync(join(folder, 'postmaster.pid'))
  while (isThere() && postmasterPid(folder) !== undefined && Date.now() < deadline) await sleep(50)
  if (isThere()) throw new Error(`the PostgreSQL in ${folder} did not end in order; run this again`)
}
