import type { Queryable } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { OpenSession } from './session.schema.ts'

/** Open sessions of a user, most recently used first. */
export function listOpenSessions(
  database: Queryable,
  userId: number,
  ownHash: string,
  page: PageRequest,
): Promise<Page<OpenSession>> {
  return selectPage(database, {
    columns: sql`id, user_agent, ip_address, created_at, updated_at as last_seen_at, token_hash = ${ownHash} as current`,
    from: sql`sessions`,
    where: sql`user_id = ${userId} and expires_at > clock_timestamp()`,
    orderBy: sql`updated_at desc, id desc`,
    page,
  })
}

/** False if the user has no such session. */
export async function deleteSessionById(database: Queryable, userId: number, id: number): Promise<boolean> {
  const rows = await database.query(
    write(sql`delete from sessions where user_id = ${userId} and id = ${id} returning id`),
  )
  return rows.length > 0
}

export async function recordSessionUse(database: Queryable, tokenHash: string): Promise<void> {
  await database.query(write(sql`update sessions set updated_at = now() where token_hash = ${tokenHash}`))
}
