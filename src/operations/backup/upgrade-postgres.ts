import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { major, majorOf, openCluster } from '../../platform/database/embedded/cluster.ts'
import {
  chooseDataDirectory,
  locateDataDirectory,
  socketFolder,
} from '../../platform/database/embedded/data-directory.ts'
import { leaseEmbeddedServer } from '../../platform/database/embedded/lease.ts'
import { type LoneLease, leaseAlone } from '../../platform/database/embedded/lease-alone.ts'
import { postmasterPid } from '../../platform/database/embedded/lock-file.ts'
import { refuseMoved } from '../../platform/database/embedded/moved-mark.ts'
import { findOlderPrograms } from '../../platform/database/embedded/older-programs.ts'
import { removeDataFolder } from '../../platform/database/embedded/remove-data-folder.ts'
import { serverUser } from '../../platform/database/embedded/server-user.ts'
import {
  announceSwap,
  canSwap,
  finishSwap,
  forgetSwap,
  hasCluster,
  olderFolder,
  swapClusters,
  upgradeFolder,
} from '../../platform/database/embedded/swap-clusters.ts'
import { keepWritersOut } from './keep-writers-out.ts'
import { openBackup } from './open-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { saveBackup } from './save-backup.ts'

/** What has just been done. A process that is killed anywhere between is followed by one that finishes. */
export type UpgradeStep = 'alone' | 'saved' | 'restored' | 'ready' | 'apart'

export type UpgradeOptions = {
  /** Folder with the programs of the older PostgreSQL. */
  programs?: string
  tell?: (line: string) => void
  onStep?: (step: UpgradeStep) => void
  /** Hears how many bytes of rows were read, and then how many were written, and which part of the whole that is. */
  onProgress?: (bytes: number, part?: number) => void
  signal?: AbortSignal
}

export type Upgraded = { from: string; to: string; older: string }

type Copying = Required<Omit<UpgradeOptions, 'programs'>>

const stopSeconds = 120

/**
 * Makes a cluster of this version's PostgreSQL out of one of an older, and puts it in its place. The older one stays, under another
 * name. Undefined where there is nothing to do.
 */
export async function upgradePostgres(
  given: string | undefined,
  {
    programs,
    tell = () => {},
    onStep = () => {},
    onProgress = () => {},
    signal = new AbortController().signal,
  }: UpgradeOptions = {},
): Promise<Upgraded | undefined> {
  const located = locateDataDirectory(given === undefined ? {} : { dataDirectory: given })
  if (!hasCluster(located))
    throw new Error(`there is no embedded database in ${located}; name its folder with --data`)
  finishSwap(located)
  refuseMoved(located)
  const from = majorOf(join(located, 'postgres'))
  if (from === major) return undefined
  if (Number(from) > Number(major))
    throw new Error(
      `${located} was made by PostgreSQL ${from}, and this version brings ${major}; run a newer one`,
    )
  const older = olderFolder(located, from)
  if (existsSync(older)) throw new Error(`${older} exists already; move it elsewhere, and run this again`)
  if (!canSwap(located)) {
    await makeNext(given, from, programs, { tell, onStep, onProgress, signal })
    announceSwap(located, from)
  }
  onStep('ready')
  return { from, to: major, older: swapClusters(located, () => onStep('apart')) }
}

/** The older server runs until the end, for us alone: no other process can use it, or begin the same. */
async function makeNext(
  given: string | undefined,
  from: string,
  programs: string | undefined,
  options: Copying,
): Promise<void> {
  const user = serverUser()
  const dataDirectory = chooseDataDirectory(given, user)
  const installation = findOlderPrograms(from, user, dataDirectory, programs)
  const cluster = openCluster(join(dataDirectory, 'postgres'), user)
  const socket = socketFolder(dataDirectory, user)
  const lease = await leaseAlone({ installation, user, cluster, socket, dataDirectory })
  try {
    // What a process left that was killed.
    await clearAway(dataDirectory)
    options.onStep('alone')
    await keepWritersOut(lease)
    await copy(lease, chooseDataDirectory(upgradeFolder(dataDirectory), user), options)
    if (!(await lease.isHeld())) throw lease.lost.reason
  } catch (error) {
    if (lease.lost.aborted) throw lease.lost.reason
    // The disk may be full: nothing that is of no use any more takes room from the older server.
    await clearAway(dataDirectory).catch(() => {})
    throw error
  } finally {
    await lease.release()
  }
  await untilStopped(cluster.folder)
}

async function clearAway(dataDirectory: string): Promise<void> {
  forgetSwap(dataDirectory)
  await removeDataFolder(upgradeFolder(dataDirectory))
}

async function copy(lease: LoneLease, work: string, { onStep, ...given }: Copying): Promise<void> {
  const file = join(work, 'catalog.backup')
  const options = { ...given, signal: AbortSignal.any([given.signal, lease.lost]) }
  await saveBackup(lease.connection, file, { ...options, areKeysIncluded: true })
  onStep('saved')
  const next = await leaseEmbeddedServer(work)
  try {
    await restoreBackup(next.connection, await openBackup(file), { ...options, kind: 'upgrade' })
    onStep('restored')
  } finally {
    await next.release()
  }
  await untilStopped(join(work, 'postgres'))
  rmSync(file)
  // Of a path that is too long for a socket it is elsewhere.
  rmSync(String(next.connection.host), { recursive: true, force: true })
}

/** A server that ends in order has everything on disk, and takes its lock file along. */
async function untilStopped(folder: string): Promise<void> {
  const deadline = Date.now() + stopSeconds * 1000
  const isThere = () => existsSync(join(folder, 'postmaster.pid'))
  while (isThere() && postmasterPid(folder) !== undefined && Date.now() < deadline) await sleep(50)
  if (isThere()) throw new Error(`the PostgreSQL in ${folder} did not end in order; run this again`)
}
