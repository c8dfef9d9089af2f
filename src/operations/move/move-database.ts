import type pg from 'pg'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { databaseLocation, reachServer } from '../../platform/database/connections/reach-server.ts'
import { openDatabase } from '../../platform/database/database.ts'
import {
  type MovedMarker,
  readMovedMarker,
  removeMovedMarker,
  writeMovedMarker,
} from '../../platform/database/embedded/moved-marker.ts'
import { prepareServer } from '../../platform/database/embedded/prepare-server.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { connectForCopy } from '../backup/copy-connection.ts'
import { findDatabaseOwner } from '../backup/create-schema.ts'
import type { Manifest } from '../backup/manifest.ts'
import { takeRestoreLock } from '../backup/restore-backup.ts'
import { isRestoredFrom } from '../backup/restores.sql.ts'
import { type CopyOptions, copyExclusively, requireCluster, withExclusiveServer } from './exclusive-copy.ts'

export type MoveOptions = CopyOptions<'announced'>
export type MoveStep = Parameters<NonNullable<MoveOptions['onStep']>>[0]

/** The manifest of the copy, if this run created one. */
export type Moved = { mark: MovedMarker; manifest: Manifest | undefined }

/**
 * Copies the embedded database into an empty one and marks the data folder, so that no one uses the old data by accident.
 * The mark is written as incomplete just before the target commits, so that no write can be lost in between.
 */
export async function moveDatabase(
  given: string | undefined,
  databaseUrl: string,
  options: MoveOptions = {},
): Promise<Moved> {
  const dataDirectory = requireCluster(given)
  const target = await reachServer({ databaseUrl }, 'CATALOG_MOVE_TO')
  const to = databaseLocation(databaseUrl)
  const server = prepareServer(given)
  const moving = withExclusiveServer(server, options, async (lease): Promise<Moved> => {
    const found = readMovedMarker(dataDirectory)
    if (found !== undefined) {
      refuseOther(found, to)
      if (found.is_complete || (await hasArrived(found, target.connection, options)))
        return { mark: complete(dataDirectory, found), manifest: undefined }
      removeMovedMarker(dataDirectory)
    }
    await refuseOwned(target.connection, to)
    const beforeCommit = async ({ id }: Manifest) => {
      writeMovedMarker(dataDirectory, { id, to, moved_at: new Date().toISOString(), is_complete: false })
      options.onStep?.('announced')
      // While this connection lives, no other server can run here, so nothing can write before or after the mark.
      if (await lease.isHeld()) return
      removeMovedMarker(dataDirectory)
      throw new Error('the embedded PostgreSQL stopped during the move')
    }
    const copying = { ...options, kind: 'move', beforeCommit } as const
    const manifest = await copyExclusively(lease, server, async () => target, copying)
    return { mark: complete(dataDirectory, readMovedMarker(dataDirectory)), manifest }
  })
  return moving.catch((error) => {
    throw explain(error, dataDirectory)
  })
}

function explain(error: Error, dataDirectory: string): Error {
  if (readMovedMarker(dataDirectory)?.is_complete !== false) return error
  const advice = 'run "catalog move" again to check whether the target database is complete'
  return new Error(`${error.message}; the move stopped at its last step: ${advice}`, { cause: error })
}

function complete(dataDirectory: string, mark: MovedMarker | undefined): MovedMarker {
  if (mark === undefined) throw new Error(`moved.json was removed from ${dataDirectory} during the move`)
  const completed = { ...mark, is_complete: true }
  writeMovedMarker(dataDirectory, completed)
  return completed
}

function refuseOther(mark: MovedMarker, to: string): void {
  if (mark.to === to) return
  throw new Error(
    `the database ${mark.is_complete ? 'was moved' : 'is being moved'} to ${mark.to}, not to ${to}; use that target, or remove moved.json from the data folder to start again`,
  )
}

/** Takes the restore lock first: the target may still be committing for a killed process. */
async function hasArrived(
  { id }: MovedMarker,
  connection: pg.ClientConfig,
  { signal, report = () => {} }: MoveOptions,
): Promise<boolean> {
  const client = await connectForCopy(connection, signal)
  try {
    await takeRestoreLock(client)
    if (!(await isRestoredFrom(queryableOf(client), id))) return false
  } finally {
    await client.end().catch(() => {})
  }
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 0 })
  await migrate(database, { report }).finally(() => database.close())
  return true
}

/** Checks before anything is copied. The restore checks again. */
async function refuseOwned(connection: pg.ClientConfig, place: string): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  const owner = await findDatabaseOwner(database).finally(() => database.close())
  if (owner !== undefined)
    throw new Error(`${place} is not empty: it contains ${owner}; use an empty database`)
}
