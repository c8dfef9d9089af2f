import type { Transaction, Writable } from '../../platform/database/database.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { deleteInvitationOf } from './invitation.sql.ts'
import { rejectLastOperator, requireUser, userNotFound } from './manage-user.ts'
import type { User } from './user.schema.ts'
import { deleteSessionsOf, deleteUserRow, lockUser, setDisabled } from './user.sql.ts'

/** Ends every session at once and prevents sign-in until the user is enabled again. */
export function disableUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    await rejectLastOperator(tx, id)
    const user = await lockExistingUser(tx, id)
    if (user.disabled_at !== null) return user
    await setDisabled(tx, id, true)
    await deleteInvitationOf(tx, id)
    const sessions = await deleteSessionsOf(tx, id)
    await recordUserAction(tx, actor, 'user.disable', user, { sessions })
    return requireUser(tx, id)
  })
}

export function enableUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    const user = await lockExistingUser(tx, id)
    if (user.disabled_at === null) return user
    await setDisabled(tx, id, false)
    await recordUserAction(tx, actor, 'user.enable', user)
    return requireUser(tx, id)
  })
}

/** Permanent. History and audit trail keep the email as text. */
export function deleteUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    await rejectLastOperator(tx, id)
    const user = await lockExistingUser(tx, id)
    await deleteUserRow(tx, id)
    await recordUserAction(tx, actor, 'user.delete', user)
    return user
  })
}

/** Signs the user out everywhere; the user can sign in again. */
export function endSessions(database: Writable, actor: Actor, id: number): Promise<{ ended: number }> {
  return database.transaction(async (tx) => {
    const user = await lockExistingUser(tx, id)
    const ended = await deleteSessionsOf(tx, id)
    await recordUserAction(tx, actor, 'user.end_sessions', user, { sessions: ended })
    return { ended }
  })
}

async function lockExistingUser(tx: Transaction, id: number): Promise<User> {
  if (!(await lockUser(tx, id))) throw userNotFound(id)
  return requireUser(tx, id)
}

function recordUserAction(
  tx: Transaction,
  actor: Actor,
  action: string,
  { id, email }: User,
  more: object = {},
) {
  return insertAuditEntry(tx, actor, { action, target: `user ${id}`, details: { email, ...more } })
}
