import { createHash, randomBytes } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { accountLimits } from '../limits.ts'
import { deleteInvitation, findInvitation, replaceInvitation } from './invitation.sql.ts'
import { insertAccount, requireUser, userNotFound } from './manage-user.ts'
import type { NewUser, User } from './user.schema.ts'
import { deleteSessionsOf, lockUser, setPassword } from './user.sql.ts'

/** The secret is in the fragment, which browsers do not send, so that no log contains it. */
export const invitationPath = (secret: string) => `/invitation#${secret}`

type InvitationSecret = { secret: string; expires_at: string }

/** Creates an account without a password; the holder of the secret chooses one. */
export function createInvitedUser(
  database: Writable,
  actor: Actor,
  input: NewUser,
): Promise<User & InvitationSecret> {
  return database.transaction(async (tx) => {
    const user = await insertAccount(tx, actor, input)
    return { ...user, ...(await createInvitation(tx, actor, user)) }
  })
}

/** Creates a new link for an existing account and invalidates the previous one. A password stays valid until the link is used. */
export function inviteUser(database: Writable, actor: Actor, id: number): Promise<User & InvitationSecret> {
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, id))) throw userNotFound(id)
    const user = await requireUser(tx, id)
    if (user.disabled_at !== null) throw new Problem('user_disabled')
    const invitation = await createInvitation(tx, actor, user)
    return { ...(await requireUser(tx, id)), ...invitation }
  })
}

async function createInvitation(
  tx: Transaction,
  actor: Actor,
  { id, email }: User,
): Promise<InvitationSecret> {
  const secret = randomBytes(32).toString('base64url')
  const expires_at = await replaceInvitation(tx, id, hashSecret(secret), accountLimits.invitationSeconds)
  await insertAuditEntry(tx, actor, {
    action: 'user.invite',
    target: `user ${id}`,
    details: { email, expires_at },
  })
  return { secret, expires_at }
}

/** Sets the password of the invited user and ends all earlier sessions. */
export async function acceptInvitation(
  database: Writable,
  secret: string,
  newPassword: string,
): Promise<{ email: string }> {
  const invitation = await findInvitation(database, hashSecret(secret))
  if (invitation === undefined) throw new Problem('invalid_invitation')
  const hash = await hashPassword(newPassword)
  await database.transaction(async (tx) => {
    await lockUser(tx, invitation.user_id)
    if (!(await deleteInvitation(tx, hashSecret(secret)))) throw new Problem('invalid_invitation')
    await setPassword(tx, invitation.user_id, hash)
    await deleteSessionsOf(tx, invitation.user_id)
    await insertAuditEntry(
      tx,
      { name: invitation.email },
      {
        action: 'user.accept_invitation',
        target: `user ${invitation.user_id}`,
        details: { email: invitation.email },
      },
    )
  })
  return { email: invitation.email }
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
