import { text } from 'node:stream/consumers'
import type { Database } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { Problem } from '../../platform/http/problems.ts'
import { fileStoreLimits } from '../../platform/limits/files.ts'
import { findKnownStore, lockKnownStore, setMarked } from './media-store.sql.ts'

const markerPath = 'catalog-media'

/** The store of media files, checked before its first use. */
export type MediaStore = {
  /** Throws 503 if no store is configured, or if it is not the store of this database. */
  require(): Promise<FileStore>
}

export function openMediaStore(database: Database, store: FileStore | undefined): MediaStore {
  let checked: Promise<FileStore> | undefined
  return {
    require() {
      checked ??= checkStore(database, store).catch((error) => {
        // Later requests check again, but not all of them at once.
        setTimeout(() => (checked = undefined), fileStoreLimits.recheckMilliseconds).unref()
        throw error
      })
      return checked
    },
  }
}

async function checkStore(database: Database, store: FileStore | undefined): Promise<FileStore> {
  if (store === undefined) throw unavailable('CATALOG_MEDIA is not set')
  const problem = await findStoreProblem(database, store)
  if (problem !== undefined) throw unavailable(problem)
  return store
}

function unavailable(reason: string): Problem {
  return new Problem('media_unavailable', { detail: `Media files are not available: ${reason}.` })
}

/** Why this store is not the one that the database knows. A new database and a new store get to know each other. */
export async function findStoreProblem(database: Database, store: FileStore): Promise<string | undefined> {
  const known = await findKnownStore(database)
  if (known?.isMarked === true && known.id === (await readMarker(store))) return undefined
  return database.transaction(async (tx) => {
    const { id, isMarked } = await lockKnownStore(tx)
    const marker = await readMarker(store)
    if (marker !== undefined && marker !== id) return 'the store belongs to another database'
    if (marker === undefined && isMarked)
      return 'the store is not the one that has the files of this database'
    if (marker === undefined) await store.put(markerPath, { bytes: Buffer.from(`${id}\n`) })
    if (!isMarked) await setMarked(tx)
    return undefined
  })
}

async function readMarker(store: FileStore): Promise<string | undefined> {
  const found = await store.get(markerPath)
  return found && (await text(found.body)).trim()
}
