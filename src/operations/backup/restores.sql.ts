import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { keyIdOfSecret } from '../../platform/secrets/secret-cipher.ts'
import type { Manifest } from './manifest.ts'

/** Why a backup was restored: by an operator, to move to another server, or to upgrade PostgreSQL. */
export type RestoreKind = 'restore' | 'move' | 'upgrade'

/** The migration that creates the table. It depends on no other, so it also applies to backups of older schemas. */
export const restoresMigration = '0041_restores.sql'

export async function addRestore(
  database: Queryable,
  { id, taken_at, left_out_key_id }: Pick<Manifest, 'id' | 'taken_at' | 'left_out_key_id'>,
  kind: RestoreKind,
): Promise<void> {
  await database.query(sql`
    insert into restores (backup_id, taken_at, kind) values (${id}::uuid, ${taken_at}::timestamptz, ${kind})`)
  await resetEventNumbering(database)
  if (kind === 'restore') await disableWebhooks(database, left_out_key_id)
  if (kind === 'upgrade') return
  await disableProviders(database)
  await pauseRuns(database)
}

/**
 * The original database may still deliver events. Secrets that only the left-out key can decrypt have to be rotated.
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

/** The original database may still make calls, so that a copy would spend money twice. Backups of older schemas have no providers. */
async function disableProviders(database: Queryable): Promise<void> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('ai_providers') is not null as found`,
  )
  if (table?.found !== true) return
  await database.query(sql`update ai_providers set state = 'disabled'`)
  await database.query(sql`update ai_offers set state = 'disabled'`)
}

/** As above. The calls that were in progress are settled when someone continues the run. */
async function pauseRuns(database: Queryable): Promise<void> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('runs') is not null as found`,
  )
  if (table?.found !== true) return
  await database.query(sql`
    update runs set state = 'paused', reason = 'restored', stop_state = null, stop_reason = null
    where state in ('sampling', 'running')`)
}

/** `seen` contains transaction IDs of the original server. Backups of older schemas have no events. */
async function resetEventNumbering(database: Queryable): Promise<void> {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('event_numbering') is not null as found`,
  )
  if (table?.found === true) await database.query(sql`update event_numbering set seen = null`)
}

/** Whether this backup is the last one that was restored into the database. */
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
