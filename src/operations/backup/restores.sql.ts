import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { keyIdOfSecret } from '../../platform/secrets/secret-cipher.ts'
import type { Manifest } from './manifest.ts'

/** Why a backup became a database: by the operator's choice, from one server to another, or from one PostgreSQL to the next. */
export type RestoreKind = 'restore' | 'move' | 'upgrade'

/** The migration that makes the table. It needs no other, so it is there for backups of older schemas too. */
export const restoresMigration = '0041_restores.sql'

export async function addRestore(
  database: Queryable,
  { id, taken_at, left_out_key_id }: Pick<Manifest, 'id' | 'taken_at' | 'left_out_key_id'>,
  kind: RestoreKind,
): Promise<void> {
  await database.query(sql`
    insert into restores (backup_id, taken_at, kind) values (${id}::uuid, ${taken_at}::timestamptz, ${kind})`)
  await forgetNumbered(database)
  if (kind === 'restore') await disableWebhooks(database, left_out_key_id)
}

/**
 * The database that the backup was taken of may go on delivering. A secret that only the left-out key can decrypt has to be rotated.
 * Backups of older schemas have no webhooks.
 */
async function disableWebhooks(database: Queryable, leftOutKeyId: string | undefined): Promise<void> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('webhooks') is not null as found`,
  )
  if (table?.found !== true) return
  await database.query(sql`
    update webhooks
    set disabled_reason = case when ${keyIdOfSecret} = ${leftOutKeyId ?? null}::text then 'secret_unreadable' else 'restored' end,
        disabled_at = now()
    where disabled_reason is null`)
}

/** Which transactions are numbered was said in numbers of the other server. Backups of older schemas have no events. */
async function forgetNumbered(database: Queryable): Promise<void> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('event_numbering') is not null as found`,
  )
  if (table?.found === true) await database.query(sql`update event_numbering set seen = null`)
}

/** Whether the database is what came out of this backup, and not of a later one. */
export async function isRestoredFrom(database: Queryable, backupId: string): Promise<boolean> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('restores') is not null as found`,
  )
  if (table?.found !== true) return false
  const [last] = await database.query(
    sql<{ same: boolean }>`
      select backup_id = ${backupId}::uuid as same from restores order by id desc limit 1`,
  )
  return last?.same === true
}
