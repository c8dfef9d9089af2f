import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { deleteInvitationOf } from '../users/invitation.sql.ts'
import { lockUser } from '../users/user.sql.ts'
import { deleteOtherSessions, findPasswordHash, replacePassword, type SignedIn } from './session.sql.ts'

type Change = { currentPassword: string; newPassword: string; revokeOtherSessions?: boolean }

/**
 * Writes the new password only where the checked one is still the user's: a reset by the operator in between must stand.
 * (better-auth's own change would overwrite the reset.)
 */
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
    // A link that lies in somebody's mail would set another password.
    await deleteInvitationOf(tx, session.user_id)
    if (revokeOtherSessions) await deleteOtherSessions(tx, session.user_id, session.token_hash)
  })
}

function wrongPassword(): Problem {
  const fault = { pointer: '/currentPassword', code: 'wrong_password', message: 'is not your password' }
  return new Problem('invalid_body', { errors: [fault] })
}
