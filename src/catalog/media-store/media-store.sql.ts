import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type KnownStore = {
  id: string
  isMarked: boolean
  /** False after a restore until an operator adopts the store. */
  isAdopted: boolean
}

const columns = sql`id, is_marked as "isMarked",
  adopted_epoch is not distinct from (select epoch from restores where kind = 'restore' order by id desc limit 1) as "isAdopted"`

/** The store that this database uses; undefined before the first use. */
export async function findKnownStore(database: Queryable): Promise<KnownStore | undefined> {
  const [row] = await database.query(sql<KnownStore>`select ${columns} from media_store`)
  return row
}

/** Locks the row, so that only one of several new stores becomes the store of the database. */
export async function lockKnownStore(tx: Transaction): Promise<KnownStore> {
  await tx.query(sql`
    insert into media_store (adopted_epoch)
    select (select epoch from restores where kind = 'restore' order by id desc limit 1) on conflict do nothing`)
  const [row] = await tx.query(sql<KnownStore>`select ${columns} from media_store for update`)
  return row as KnownStore
}

export async function setMarked(tx: Transaction): Promise<void> {
  await tx.query(sql`update media_store set is_marked = true`)
}

/** Points the database at the marker of another store, or at the same one after a restore. */
export async function adoptStore(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`
    update media_store set id = ${id}::uuid, is_marked = true,
      adopted_epoch = (select epoch from restores where kind = 'restore' order by id desc limit 1)`)
}

export async function hasAssets(database: Queryable): Promise<boolean> {
  const [row] = await database.query(sql<{ found: boolean }>`
    select exists (select from assets where state <> 'erased') as found`)
  return row?.found === true
}
