import { deleteInBatches } from '../../platform/database/batching/delete-in-batches.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { memberLimits } from '../limits.ts'
import type { MemberRole } from '../roles.ts'
import type { MemberInvitation, NewMember } from './member.schema.ts'

const columns = sql`invitation.id, invitation.email, invitation.role, inviter.email as invited_by,
  invitation.created_at, invitation.expires_at`
const from = sql`member_invitations as invitation join users as inviter on inviter.id = invitation.inviter_id`

/** A manager who was removed must not come back by an invitation. */
const valid = sql`invitation.expires_at > clock_timestamp() and inviter.disabled_at is null and (inviter.operator or exists (
  select from memberships as own
  where own.project_id = invitation.project_id and own.user_id = inviter.id and own.role = 'manager'))`

/**
 * The clock, not the start of the transaction, which is earlier if it waited for another one that used the invitation. The time is
 * rounded to milliseconds.
 */
const ended = sql`clock_timestamp() - interval '1 millisecond'`

/** Newest first. */
export function listMemberInvitations(
  database: Queryable,
  projectId: number,
  page: PageRequest,
): Promise<Page<MemberInvitation>> {
  const where = sql`invitation.project_id = ${projectId} and ${valid}`
  return selectPage(database, { columns, from, where, orderBy: sql`invitation.id desc`, page })
}

type Counts = { is_member: boolean; members: number; last_hour: number }

/** What limits another invitation. */
export async function countInvited(tx: Transaction, projectId: number, email: string): Promise<Counts> {
  const [row] = await tx.query(sql<Counts>`
    select exists (select from memberships as member join users on users.id = member.user_id
                   where member.project_id = ${projectId} and users.email = ${email}) as is_member,
      (select count(*) from memberships where project_id = ${projectId})::int
      + (select count(*) from member_invitations where project_id = ${projectId} and expires_at > now() and email <> ${email})::int as members,
      (select count(*) from member_invitations
       where project_id = ${projectId} and created_at > now() - interval '1 hour')::int as last_hour`)
  return row as Counts
}

/** Replaces an earlier invitation of the email. */
export async function insertMemberInvitation(
  tx: Transaction,
  projectId: number,
  { email, role, inviterId, secretHash }: NewMember & { inviterId: number; secretHash: Buffer },
): Promise<MemberInvitation> {
  await tx.query(sql`
    update member_invitations set expires_at = ${ended}
    where project_id = ${projectId} and email = ${email} and expires_at > clock_timestamp()`)
  const [added] = await tx.query(sql<{ id: number }>`
    insert into member_invitations (project_id, email, role, secret_hash, inviter_id, expires_at)
    values (${projectId}, ${email}, ${role}, ${secretHash}, ${inviterId},
            now() + make_interval(secs => ${memberLimits.invitationSeconds})) returning id`)
  const [row] = await tx.query(sql<MemberInvitation>`
    select ${columns} from ${from} where invitation.project_id = ${projectId} and invitation.id = ${added?.id ?? 0}`)
  return row as MemberInvitation
}

/** Undefined if the invitation is no longer valid. */
export async function endMemberInvitation(
  tx: Transaction,
  projectId: number,
  id: number,
): Promise<{ email: string; role: MemberRole } | undefined> {
  const [row] = await tx.query(sql<{ email: string; role: MemberRole }>`
    update member_invitations set expires_at = ${ended}
    where project_id = ${projectId} and id = ${id} and expires_at > clock_timestamp() returning email, role`)
  return row
}

export type FoundInvitation = {
  project_id: number
  id: number
  email: string
  role: MemberRole
  project_name: string
  expires_at: string
}

/** Undefined if the link was accepted, revoked or replaced, has expired, or is that of a former manager. */
export async function findMemberInvitation(
  database: Queryable,
  secretHash: Buffer,
): Promise<FoundInvitation | undefined> {
  const [row] = await database.query(sql<FoundInvitation>`
    select invitation.project_id, invitation.id, invitation.email, invitation.role, project.name as project_name,
      invitation.expires_at
    from ${from} join projects as project on project.id = invitation.project_id
    where invitation.secret_hash = ${secretHash} and ${valid}`)
  return row
}

export function deleteOldInvitations(database: Queryable, signal: AbortSignal): Promise<void> {
  const before = sql`now() - interval '1 hour'`
  return deleteInBatches(database, { table: 'member_invitations', column: 'expires_at', before }, signal)
}
