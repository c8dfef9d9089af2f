import { text } from 'node:stream/consumers'
import type { Queryable, Writable } from '../../platform/database/database.ts'
import { type FileStore, FileStoreFailure } from '../../platform/file-store/file-store.ts'
import { removeIncoming } from '../../platform/file-store/remove-incoming.ts'
import { fileStoreLimits } from '../../platform/limits/files.ts'
import { findKnownStore, type KnownStore, lockKnownStore, setMarked } from './media-store.sql.ts'

const markerPath = 'catalog-media'

/** The store of media files, checked before its first use. */
export type MediaStore = {
  isConfigured: boolean
  /** Throws 503 if no store is configured, or if it is not the store of this database. */
  require(): Promise<FileStore>
  /** Removes temporary files that interrupted uploads left on this host. */
  removeInterrupted(): Promise<void>
}

export function openMediaStore(database: Writable, store: FileStore | undefined): MediaStore {
  let checked: Promise<FileStore> | undefined
  return {
    isConfigured: store !== undefined,
    require() {
      checked ??= checkStore(database, store).catch((error) => {
        // Later requests check again, but not all of them at once.
        setTimeout(() => (checked = undefined), fileStoreLimits.recheckMilliseconds).unref()
        throw error
      })
      return checked
    },
    async removeInterrupted() {
      if (store !== undefined) await removeIncoming(store.incoming, fileStoreLimits.incomingSeconds)
    },
  }
}

async function checkStore(database: Writable, store: FileStore | undefined): Promise<FileStore> {
  if (store === undefined) throw new FileStoreFailure('media files', new Error('CATALOG_MEDIA is not set'))
  const problem = await joinStore(database, store)
  if (problem !== undefined) throw new FileStoreFailure('media files', new Error(problem))
  return store
}

/** Why a store is not the one of this database; undefined if it is. A new database accepts a new store. */
export async function findStoreProblem(
  known: Pick<KnownStore, 'id' | 'isMarked'> | undefined,
  store: FileStore,
): Promise<string | undefined> {
  const marker = await readMarker(store)
  if (marker === undefined)
    return known?.isMarked === true
      ? `${store.description} is not the store that has the files of this database`
      : undefined
  return marker === known?.id ? undefined : `${store.description} belongs to another database`
}

/** The same as `findStoreProblem`, and writes the marker if both the database and the store are new. */
export async function joinStore(database: Writable, store: FileStore): Promise<string | undefined> {
  const known = await findKnownStore(database)
  if (known?.isMarked === true) return findStoreProblem(known, store)
  return database.transaction(async (tx) => {
    const locked = await lockKnownStore(tx)
    const problem = await findStoreProblem(locked, store)
    if (problem !== undefined || locked.isMarked) return problem
    await writeMarker(store, locked.id)
    await setMarked(tx)
    return undefined
  })
}

export async function writeMarker(store: FileStore, id: string): Promise<void> {
  await store.put(markerPath, { bytes: Buffer.from(`${id}\n`) })
}

/** The ID in the marker of a store; undefined if it has no marker. */
export async function readMarker(store: FileStore): Promise<string | undefined> {
  const found = await store.get(markerPath)
  if (found === undefined) return undefined
  const content = await text(found.body).catch((error) => {
    throw new FileStoreFailure(store.description, error)
  })
  return content.trim()
}

/**
 * Why no file is removed at present. After a restore, the original database may still use the same store, until an operator states
 * that it does not.
 */
export async function findRemovalBlock(
  database: Queryable,
): Promise<{ detail: string; advice: string } | undefined> {
  const known = await findKnownStore(database)
  if (known === undefined || known.isAdopted) return undefined
  return {
    detail: 'the database was restored from a backup, so no media file is removed',
    advice: 'if no other database uses the store, run "catalog media adopt"',
  }
}
