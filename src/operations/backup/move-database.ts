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
import { type CopyOptions, copyAlone, requireCluster, withServerAlone } from './copy-alone.ts'
import { connectForCopy } from './copy-connection.ts'
import { lookForOwner } from './make-schema.ts'
import type { Manifest } from './manifest.ts'
import { takeRestoreLock } from './restore-backup.ts'
import { isRestoredFrom } from './restores.sql.ts'

export type MoveOptions = CopyOptions<'announced'>
export type MoveStep = Parameters<NonNullable<MoveOptions['onStep']>>[0]

/** The manifest is that of the copy, where this run made one. */
export type Moved = { mark: MovedMarker; manifest: Manifest | undefined }

/**
 * Copies the embedded database of the folder into an empty one, and marks the folder: from then on nobody uses the one here by
 * accident. The mark stands, unfinished, from just before the commit there, so no write can come between the two.
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
  const moving = withServerAlone(server, options, async (lease): Promise<Moved> => {
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
      // As long as this connection lives no other server can run here: nobody had a share before the mark, or gets one after it.
      if (await lease.isHeld()) return
      removeMovedMarker(dataDirectory)
      throw new Error('the embedded PostgreSQL ended meanwhile')
    }
    const copying = { ...options, kind: 'move', beforeCommit } as const
    const manifest = await copyAlone(lease, server, async () => target, copying)
    return { mark: complete(dataDirectory, readMovedMarker(dataDirectory)), manifest }
  })
  return moving.catch((error) => {
    throw explain(error, dataDirectory)
  })
}

function explain(error: Error, dataDirectory: string): Error {
  if (readMovedMarker(dataDirectory)?.is_complete !== false) return error
  const advice = 'run "catalog move" again, which asks the other database whether all is there'
  return new Error(`${error.message}; this was at the last step: ${advice}`, { cause: error })
}

function complete(dataDirectory: string, mark: MovedMarker | undefined): MovedMarker {
  if (mark === undefined) throw new Error(`moved.json was removed from ${dataDirectory} during the move`)
  const whole = { ...mark, is_complete: true }
  writeMovedMarker(dataDirectory, whole)
  return whole
}

function refuseOther(mark: MovedMarker, to: string): void {
  if (mark.to === to) return
  throw new Error(
    `the database ${mark.is_complete ? 'was' : 'was being'} moved to ${mark.to}, not to ${to}; name that one, or remove moved.json in the data folder to move it anew`,
  )
}

/** Asked with the lock of a restore: the server there may still be at the commit of a process that was killed. */
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
  const owner = await lookForOwner(database).finally(() => database.close())
  if (owner !== undefined) throw new Error(`${place} is not empty, it has ${owner}; name an empty database`)
}
