import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import { type ExclusiveLease, leaseExclusively } from '../../platform/database/embedded/exclusive-lease.ts'
import type { Server } from '../../platform/database/embedded/server-connection.ts'
import { hasCluster } from '../../platform/database/embedded/swap-clusters.ts'
import type { Manifest } from '../backup/manifest.ts'
import { openBackup } from '../backup/open-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import type { RestoreOptions } from '../backup/restore-rows.ts'
import { saveBackup } from '../backup/save-backup.ts'
import { blockWriters } from './block-writers.ts'

export type CopyOptions<Step extends string> = {
  report?: (line: string) => void
  /** Called after each step. If the process is killed between two steps, the next run finishes the work. */
  onStep?: (step: Step | 'alone' | 'saved' | 'restored') => void
  /** Receives the bytes of rows read, then the bytes written and their share of the total. */
  onProgress?: (bytes: number, part?: number) => void
  signal?: AbortSignal
}

type Target = { connection: pg.ClientConfig; release(): Promise<void> }

/** Returns the data folder, which must contain an embedded database. */
export function requireCluster(dataDirectory: string | undefined): string {
  const located = locateDataDirectory(dataDirectory === undefined ? {} : { dataDirectory })
  if (hasCluster(located)) return located
  throw new Error(`no embedded database in ${located}; use --data to specify its folder`)
}

/** Runs work on an embedded server that no other process can use meanwhile, then stops the server. */
export async function withExclusiveServer<Result>(
  server: Server,
  { onStep = () => {} }: CopyOptions<never>,
  work: (lease: ExclusiveLease) => Promise<Result>,
): Promise<Result> {
  const lease = await leaseExclusively(server)
  try {
    // Left by a killed process.
    rmSync(copyFolder(server), { recursive: true, force: true })
    onStep('alone')
    return await work(lease)
  } catch (error) {
    throw lease.lost.aborted ? lease.lost.reason : error
  } finally {
    await lease.release()
  }
}

/** Backs up a server that only this process uses, including keys, and restores the backup into an empty database. */
export async function copyExclusively(
  lease: ExclusiveLease,
  server: Server,
  openTarget: () => Promise<Target>,
  {
    onStep = () => {},
    ...given
  }: CopyOptions<never> & Required<Pick<RestoreOptions, 'kind'>> & RestoreOptions,
): Promise<Manifest> {
  const folder = copyFolder(server)
  const signal = AbortSignal.any([lease.lost, ...(given.signal === undefined ? [] : [given.signal])])
  const options = { ...given, signal }
  try {
    await blockWriters(lease)
    mkdirSync(folder, { mode: 0o700 })
    const file = join(folder, 'catalog.backup')
    await saveBackup(lease.connection, file, { ...options, areKeysIncluded: true })
    onStep('saved')
    const backup = await openBackup(file)
    const { connection, release } = await openTarget()
    const { manifest } = await restoreBackup(connection, backup, options).finally(release)
    onStep('restored')
    return manifest
  } finally {
    // The backup holds secrets and takes space. Without the server, another process may own the folder by now.
    if (!lease.lost.aborted) rmSync(folder, { recursive: true, force: true })
  }
}

function copyFolder({ dataDirectory }: Server): string {
  return join(dataDirectory, 'copy')
}
