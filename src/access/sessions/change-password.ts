import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { deleteInvitationOf } from '../users/invitation.sql.ts'
import { lockUser } from '../users/user.sql.ts'
import { deleteOtherSessions, findPasswordHash, replacePassword, type SignedIn } from './session.sql.ts'

type Change = { currentPassword: string; newPassword: string; revokeOtherSessions?: boolean }

/** Writes the new password only if the checked one is still current. better-auth's own change would overwrite a concurrent reset. */
export async function changePassword(
  database: Database,
  session: SignedIn,
  { currentPassword, newPassword, revokeOtherSessions = false }: Change,
): Promise<void> {
  const current = await findPasswordHash(database, session.email)
  if (current === undefined || !(await verifyPassword(current, currentPassword))) throw wrongPassword()
  const next = await hashPassword(newPassword)
  await database.transaction(async (tx) => {
    await lockUser(tx, session.user_id)
    if (!(await replacePassword(tx, session.user_id, current, next))) throw wrongPassword()
    // An old invitation link could set another password.
    await deleteInvitationOf(tx, session.user_id)
    if (revokeOtherSessions) await deleteOtherSessions(tx, session.user_id, session.token_hash)
  })
}

function wrongPassword(): Problem {
  const error = { pointer: '/currentPassword', code: 'wrong_password', message: 'is not your password' }
  return new Problem('invalid_body', { errors: [error] })
}
