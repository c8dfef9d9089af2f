import { randomBytes } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { insertAuditEntry } from '../audit/audit.sql.ts'
import { memberLimits } from '../limits.ts'
import type { SignedIn } from '../sessions/session.sql.ts'
import { hashSecret } from '../users/invite-user.ts'
import { insertAccount } from '../users/manage-user.ts'
import { type MemberActor, recordMemberAction, requireManager } from './manage-member.ts'
import type { MemberInvitation, NewMember } from './member.schema.ts'
import { insertMember, lockManagers } from './member.sql.ts'
import {
  countInvited,
  endMemberInvitation,
  type FoundInvitation,
  findMemberInvitation,
  insertMemberInvitation,
} from './member-invitation.sql.ts'

/**
 * Creates a link that the manager hands over. It neither creates nor changes an account, so that the manager does not learn whether
 * the email has one.
 */
export function inviteMember(
  database: Writable,
  actor: MemberActor & { userId: number },
  projectId: number,
  input: NewMember,
): Promise<MemberInvitation & { secret: string }> {
  const email = input.email.toLowerCase()
  return database.transaction(async (tx) => {
    requireManager(actor, await lockManagers(tx, projectId))
    const { is_member, members, last_hour } = await countInvited(tx, projectId, email)
    if (is_member) throw new Problem('already_member')
    if (members >= memberLimits.members) throw new Problem('too_many_members')
    if (last_hour >= memberLimits.invitationsPerHour) throw new Problem('too_many_invitations')
    const secret = randomBytes(32).toString('base64url')
    const given = { email, role: input.role, inviterId: actor.userId, secretHash: hashSecret(secret) }
    const invitation = await insertMemberInvitation(tx, projectId, given)
    const details = { email, role: input.role, expires_at: invitation.expires_at }
    await recordMemberAction(tx, actor, 'member.invite', projectId, undefined, details)
    return { ...invitation, secret }
  })
}

export function revokeInvitation(
  database: Writable,
  actor: MemberActor,
  projectId: number,
  id: number,
): Promise<void> {
  return database.transaction(async (tx) => {
    const revoked = await endMemberInvitation(tx, projectId, id)
    if (revoked === undefined)
      throw new Problem('not_found', { detail: `This project has no open invitation ${id}.` })
    await recordMemberAction(tx, actor, 'member.revoke_invitation', projectId, undefined, revoked)
  })
}

/**
 * For an email without an account. The owner of an account signs in instead, because a link that a manager can see must not set
 * the password of an account.
 */
export async function acceptAsNewUser(
  database: Writable,
  invitation: FoundInvitation,
  newPassword: string,
): Promise<{ email: string }> {
  const { email } = invitation
  const hash = await hashPassword(newPassword)
  await database.transaction(async (tx) => {
    const { id } = await insertAccount(tx, { name: email }, { email }, hash).catch(signInInstead)
    await useInvitation(tx, invitation, id)
  })
  return { email }
}

function signInInstead(error: Error): never {
  const hasAccount = error instanceof Problem && error.problemCode === 'duplicate_email'
  throw hasAccount ? new Problem('invitation_needs_sign_in') : error
}

/** For a user who is signed in with the email of the invitation. */
export function joinProject(
  database: Writable,
  { user_id, email }: Pick<SignedIn, 'user_id' | 'email'>,
  secret: string,
): Promise<{ project_id: number }> {
  return database.transaction(async (tx) => {
    const invitation = await findMemberInvitation(tx, hashSecret(secret))
    if (invitation === undefined) throw new Problem('invalid_invitation')
    if (invitation.email !== email) throw new Problem('invitation_of_other')
    await useInvitation(tx, invitation, user_id)
    return { project_id: invitation.project_id }
  })
}

/** Adds the membership, unless another request used the invitation first. */
async function useInvitation(
  tx: Transaction,
  { project_id, id, email, role }: FoundInvitation,
  userId: number,
): Promise<void> {
  if ((await endMemberInvitation(tx, project_id, id)) === undefined) throw new Problem('invalid_invitation')
  await insertMember(tx, project_id, userId, role)
  await insertAuditEntry(
    tx,
    { name: email },
    {
      ...{ action: 'member.join', projectId: project_id, target: `user ${userId}` },
      details: { email, role },
    },
  )
}
