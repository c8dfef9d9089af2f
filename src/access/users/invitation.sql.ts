import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Invitation } from './invitation.schema.ts'

/** Invalidates the previous link. Returns the expiry. */
export async function replaceInvitation(
  tx: Transaction,
  userId: number,
  secretHash: Buffer,
  validSeconds: number,
): Promise<string> {
  const [row] = await tx.query(sql<{ expires_at: string }>`
    insert into invitations as own (user_id, secret_hash, expires_at)
    values (${userId}, ${secretHash}, now() + make_interval(secs => ${validSeconds}))
    on conflict (user_id) do update
    set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at, created_at = now()
    returning expires_at`)
  return (row as { expires_at: string }).expires_at
}

type Invited = { user_id: number; operator: boolean }

/** Undefined if the link was used, replaced or has expired, or if the user is disabled. */
export async function findInvitation(
  database: Queryable,
  secretHash: Buffer,
): Promise<(Omit<Invitation, 'project'> & Invited) | undefined> {
  const [row] = await database.query(sql<Omit<Invitation, 'project'> & Invited>`
    select invitation.user_id, users.operator, users.email, users.name, invitation.expires_at
    from invitations as invitation join users on users.id = invitation.user_id
    where invitation.secret_hash = ${secretHash} and invitation.expires_at > clock_timestamp()
      and users.disabled_at is null`)
  return row
}

/** False if another request used the link first. */
export async function deleteInvitation(tx: Transaction, secretHash: Buffer): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from invitations where secret_hash = ${secretHash} and expires_at > clock_timestamp() returning user_id`)
  return rows.length > 0
}

export async function deleteInvitationOf(tx: Transaction, userId: number): Promise<void> {
  await tx.query(sql`delete from invitations where user_id = ${userId}`)
}
