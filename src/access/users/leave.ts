import type { Transaction, Writable } from '../../platform/database/database.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { deleteInvitationOf } from './invitation.sql.ts'
import { noUser, refuseLastOperator, requireUser } from './manage-user.ts'
import type { User } from './user.schema.ts'
import { deleteSessionsOf, deleteUserRow, lockUser, setDisabled } from './user.sql.ts'

/** Ends every session at once and lets the user open none, until they are enabled again. */
export function disableUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    await refuseLastOperator(tx, id)
    const user = await lockedUser(tx, id)
    if (user.disabled_at !== null) return user
    await setDisabled(tx, id, true)
    await deleteInvitationOf(tx, id)
    const sessions = await deleteSessionsOf(tx, id)
    await note(tx, actor, 'user.disable', user, { sessions })
    return requireUser(tx, id)
  })
}

export function enableUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    const user = await lockedUser(tx, id)
    if (user.disabled_at === null) return user
    await setDisabled(tx, id, false)
    await note(tx, actor, 'user.enable', user)
    return requireUser(tx, id)
  })
}

/** For good. History and audit trail keep the email, as they hold it as text. */
export function deleteUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    await refuseLastOperator(tx, id)
    const user = await lockedUser(tx, id)
    await deleteUserRow(tx, id)
    await note(tx, actor, 'user.delete', user)
    return user
  })
}

/** Signs the user out everywhere; they may sign in again. */
export function endSessions(database: Writable, actor: Actor, id: number): Promise<{ ended: number }> {
  return database.transaction(async (tx) => {
    const user = await lockedUser(tx, id)
    const ended = await deleteSessionsOf(tx, id)
    await note(tx, actor, 'user.end_sessions', user, { sessions: ended })
    return { ended }
  })
}

async function lockedUser(tx: Transaction, id: number): Promise<User> {
  if (!(await lockUser(tx, id))) throw noUser(id)
  return requireUser(tx, id)
}

function note(tx: Transaction, actor: Actor, action: string, { id, email }: User, more: object = {}) {
  return insertAuditEntry(tx, actor, { action, target: `user ${id}`, details: { email, ...more } })
}
