import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { queryableOf } from '../../platform/database/connect.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import { type LoneLease, leaseAlone } from '../../platform/database/embedded/lease-alone.ts'
import {
  type MovedMark,
  readMovedMark,
  removeMovedMark,
  writeMovedMark,
} from '../../platform/database/embedded/moved-mark.ts'
import { prepareServer } from '../../platform/database/embedded/prepare-server.ts'
import { hasCluster } from '../../platform/database/embedded/swap-clusters.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { placeOf, reachServer } from '../../platform/database/reach.ts'
import { connectForCopy } from './copy-connection.ts'
import { keepWritersOut } from './keep-writers-out.ts'
import { refuseForeign } from './make-schema.ts'
import type { Manifest } from './manifest.ts'
import { openBackup } from './open-backup.ts'
import { restoreBackup, takeRestoreLock } from './restore-backup.ts'
import { isRestoredFrom } from './restores.sql.ts'
import { saveBackup } from './save-backup.ts'
import { findOwner } from './schema.sql.ts'

/** What has just been done. A process that is killed anywhere between is followed by one that finishes. */
export type MoveStep = 'alone' | 'saved' | 'announced' | 'restored'

export type MoveOptions = {
  tell?: (line: string) => void
  onStep?: (step: MoveStep) => void
  /** Hears how many bytes of rows were read, and then how many were written, and which part of the whole that is. */
  onProgress?: (bytes: number, part?: number) => void
  signal?: AbortSignal
}

/** The manifest is that of the copy, where this run made one. */
export type Moved = { mark: MovedMark; manifest: Manifest | undefined }

type Target = { connection: pg.ClientConfig; place: string }

/**
 * Copies the embedded database of the folder into an empty one, and marks the folder: from then on nobody uses the one here by
 * accident. The mark stands, unfinished, from just before the commit there, so no write can come between the two.
 */
export async function moveDatabase(
  dataDirectory: string | undefined,
  databaseUrl: string,
  {
    tell = () => {},
    onStep = () => {},
    onProgress = () => {},
    signal = new AbortController().signal,
  }: MoveOptions = {},
): Promise<Moved> {
  const located = locateDataDirectory(dataDirectory === undefined ? {} : { dataDirectory })
  if (!hasCluster(located))
    throw new Error(`there is no embedded database in ${located}; name its folder with --data`)
  const { connection, release } = await reachServer({ databaseUrl }, 'CATALOG_MOVE_TO')
  await release()
  const target = { connection, place: placeOf(databaseUrl) }
  const before = readMovedMark(located)
  if (before?.is_complete === true) return { mark: sameTarget(before, target), manifest: undefined }
  const server = prepareServer(dataDirectory)
  const lease = await leaseAlone(server)
  try {
    return await moveAlone(lease, server.dataDirectory, target, { tell, onStep, onProgress, signal })
  } catch (error) {
    throw explain(lease.lost.aborted ? lease.lost.reason : error, server.dataDirectory)
  } finally {
    await lease.release()
  }
}

function explain(error: Error, dataDirectory: string): Error {
  if (readMovedMark(dataDirectory)?.is_complete !== false) return error
  const advice = 'run "catalog move" again, which asks the other database whether all is there'
  return new Error(`${error.message}; this was at the last step: ${advice}`, { cause: error })
}

async function moveAlone(
  lease: LoneLease,
  dataDirectory: string,
  target: Target,
  options: Required<MoveOptions>,
): Promise<Moved> {
  const folder = join(dataDirectory, 'move')
  rmSync(folder, { recursive: true, force: true })
  options.onStep('alone')
  const mark = readMovedMark(dataDirectory)
  if (mark?.is_complete === true) return { mark: sameTarget(mark, target), manifest: undefined }
  if (mark !== undefined && (await hasArrived(sameTarget(mark, target), target, options))) {
    return { mark: complete(dataDirectory, mark), manifest: undefined }
  }
  if (mark !== undefined) removeMovedMark(dataDirectory)
  await refuseOwned(target)
  const manifest = await copy(lease, dataDirectory, folder, target, options).finally(() => {
    // It holds secrets, and nobody would look for it here. Without the server the folder may be another process's by now.
    if (!lease.lost.aborted) rmSync(folder, { recursive: true, force: true })
  })
  options.onStep('restored')
  return { mark: complete(dataDirectory, markOf(manifest, target)), manifest }
}

/** By way of a file, because a restore reads all of it before it writes anything. */
async function copy(
  lease: LoneLease,
  dataDirectory: string,
  folder: string,
  target: Target,
  { onStep, ...given }: Required<MoveOptions>,
): Promise<Manifest> {
  const cut = new AbortController()
  const cutOff = () => cut.abort()
  lease.lost.addEventListener('abort', cutOff)
  const options = { ...given, signal: AbortSignal.any([given.signal, cut.signal]) }
  await keepWritersOut(lease)
  mkdirSync(folder, { mode: 0o700 })
  const file = join(folder, 'catalog.backup')
  await saveBackup(lease.connection, file, { ...options, areKeysIncluded: true })
  onStep('saved')
  const beforeCommit = async (manifest: Manifest) => {
    writeMovedMark(dataDirectory, markOf(manifest, target))
    onStep('announced')
    // As long as this connection lives no other server can run here: nobody had a share before the mark, or gets one after it.
    if (await lease.isHeld()) return lease.lost.removeEventListener('abort', cutOff)
    removeMovedMark(dataDirectory)
    throw new Error('the embedded PostgreSQL ended meanwhile')
  }
  const { manifest } = await restoreBackup(target.connection, await openBackup(file), {
    ...options,
    kind: 'move',
    beforeCommit,
  })
  return manifest
}

function markOf({ id }: Manifest, { place }: Target): MovedMark {
  return { id, to: place, moved_at: new Date().toISOString(), is_complete: false }
}

function complete(dataDirectory: string, mark: MovedMark): MovedMark {
  const whole = { ...mark, is_complete: true }
  writeMovedMark(dataDirectory, whole)
  return whole
}

function sameTarget(mark: MovedMark, { place }: Target): MovedMark {
  if (mark.to === place) return mark
  throw new Error(
    `the database ${mark.is_complete ? 'was' : 'was being'} moved to ${mark.to}, not to ${place}; name that one, or remove moved.json in the data folder to move it anew`,
  )
}

/** Asked with the lock of a restore: the server there may still be at the commit of a process that was killed. */
async function hasArrived(
  { id }: MovedMark,
  { connection }: Target,
  { signal, tell }: Required<MoveOptions>,
): Promise<boolean> {
  const client = await connectForCopy(connection, signal)
  try {
    await takeRestoreLock(client)
    if (!(await isRestoredFrom(queryableOf(client), id))) return false
  } finally {
    await client.end().catch(() => {})
  }
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 0 })
  await migrate(database, { tell }).finally(() => database.close())
  return true
}

/** Before anything is done: the restore itself looks again. */
async function refuseOwned({ connection, place }: Target): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  const owner = await refuseForeign(database)
    .then(() => findOwner(database))
    .finally(() => database.close())
  if (owner !== undefined) throw new Error(`${place} is not empty, it has ${owner}; name an empty database`)
}
