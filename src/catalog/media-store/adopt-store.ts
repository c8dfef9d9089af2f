import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { adoptStore, lockKnownStore } from './media-store.sql.ts'
import { readMarker, writeMarker } from './media-store.ts'

/** Assigns a store to this database, and allows the service to remove files from it. */
export function adoptMediaStore(
  database: Writable,
  actor: Actor,
  store: FileStore,
): Promise<{ store: string; id: string }> {
  return database.transaction(async (tx) => {
    const known = await lockKnownStore(tx)
    const marker = await readMarker(store)
    const id = marker ?? known.id
    if (marker === undefined) await writeMarker(store, id)
    await adoptStore(tx, id)
    await insertAuditEntry(tx, actor, {
      action: 'asset.adopt_store',
      target: 'media store',
      details: { store: store.description, id: { before: known.id, after: id } },
    })
    return { store: store.description, id }
  })
}
