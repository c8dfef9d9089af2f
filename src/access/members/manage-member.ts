import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { isManager, type MemberRole, type Role } from '../roles.ts'
import type { Member } from './member.schema.ts'
import { deleteMember, findMember, lockManagers, updateMemberRole } from './member.sql.ts'

/** A user of the console, or the command line, which has no user. */
export type MemberActor = Actor & { userId?: number; role?: Role | undefined }

export function changeMember(
  database: Writable,
  actor: MemberActor,
  projectId: number,
  userId: number,
  role: MemberRole,
): Promise<Member> {
  return database.transaction(async (tx) => {
    const before = await lockOther(tx, actor, projectId, userId, role)
    const after = await updateMemberRole(tx, projectId, userId, role)
    if (after === undefined) throw memberNotFound(userId)
    if (before.role !== role) {
      const details = { email: before.email, role, former_role: before.role }
      await recordMemberAction(tx, actor, 'member.change', projectId, userId, details)
    }
    return after
  })
}

/** Takes effect from the next request, also of pages that are open. */
export function removeMember(
  database: Writable,
  actor: MemberActor,
  projectId: number,
  userId: number,
): Promise<void> {
  return database.transaction(async (tx) => {
    const { email, role } = await lockOther(tx, actor, projectId, userId)
    await deleteMember(tx, projectId, userId)
    await recordMemberAction(tx, actor, 'member.remove', projectId, userId, { email, role })
  })
}

/**
 * Rejects an actor who is no longer a manager, a change of the actor's own membership, and a change that would leave the project
 * without a manager.
 */
async function lockOther(
  tx: Transaction,
  actor: MemberActor,
  projectId: number,
  userId: number,
  role?: MemberRole,
): Promise<Member> {
  const managers = await lockManagers(tx, projectId)
  requireManager(actor, managers)
  if (actor.userId === userId) throw new Problem('own_membership')
  const member = await findMember(tx, projectId, userId)
  if (member === undefined) throw memberNotFound(userId)
  if (role !== 'manager' && managers.length === 1 && managers[0] === userId) throw new Problem('last_manager')
  return member
}

/** The check of the route happened before the lock. */
export function requireManager({ userId, role }: MemberActor, managers: readonly number[]): void {
  if (userId === undefined || role === 'operator') return
  if (!isManager(role) || !managers.includes(userId)) throw new Problem('insufficient_role')
}

export function recordMemberAction(
  tx: Transaction,
  actor: Actor,
  action: string,
  projectId: number,
  userId: number | undefined,
  details: { email: string; [key: string]: unknown },
): Promise<void> {
  const target = userId === undefined ? details.email : `user ${userId}`
  return insertAuditEntry(tx, actor, { action, projectId, target, details })
}

function memberNotFound(userId: number): Problem {
  return new Problem('not_found', { detail: `This project has no member ${userId}.` })
}
