import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Changes when the password or a second factor of the user changes, or when an operator resets one. */
export const signInState = sql`encode(sha256(convert_to(concat_ws('|',
  (select password from accounts where user_id = users.id and provider_id = 'credential'),
  (select confirmed_at::text || secret from totp_secrets where user_id = users.id and confirmed_at is not null),
  (select string_agg(id::text, ',' order by id) from passkeys where user_id = users.id)
), 'UTF8')), 'hex')`

/** Undefined for a disabled or deleted user. */
export async function findSignInState(database: Queryable, userId: number): Promise<string | undefined> {
  const [row] = await database.query(sql<{ state: string }>`
    select ${signInState} as state from users where id = ${userId} and disabled_at is null`)
  return row?.state
}
