import { createHash, randomBytes } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { accountLimits } from '../limits.ts'
import { deleteInvitation, findInvitation, replaceInvitation } from './invitation.sql.ts'
import { insertAccount, noUser, requireUser } from './manage-user.ts'
import type { NewUser, User } from './user.schema.ts'
import { deleteSessionsOf, lockUser, setPassword } from './user.sql.ts'

/** After the # of an address: browsers send that part to no server, so that it comes into no log. */
export const invitationPath = (secret: string) => `/invitation#${secret}`

type Made = { secret: string; expires_at: string }

/** Makes an account without a password; who has the secret chooses one. */
export function createInvitedUser(
  database: Writable,
  actor: Actor,
  input: NewUser,
): Promise<User & { secret: string; expires_at: string }> {
  return database.transaction(async (tx) => {
    const user = await insertAccount(tx, actor, input)
    return { ...user, ...(await makeInvitation(tx, actor, user)) }
  })
}

/** A new link for an account that there is; the link before ends, a password that it has stays until the link is used. */
export function inviteUser(database: Writable, actor: Actor, id: number): Promise<User & Made> {
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, id))) throw noUser(id)
    const user = await requireUser(tx, id)
    if (user.disabled_at !== null) throw new Problem('user_disabled')
    const made = await makeInvitation(tx, actor, user)
    return { ...(await requireUser(tx, id)), ...made }
  })
}

async function makeInvitation(tx: Transaction, actor: Actor, { id, email }: User): Promise<Made> {
  const secret = randomBytes(32).toString('base64url')
  const expires_at = await replaceInvitation(tx, id, hashed(secret), accountLimits.invitationSeconds)
  await insertAuditEntry(tx, actor, {
    action: 'user.invite',
    target: `user ${id}`,
    details: { email, expires_at },
  })
  return { secret, expires_at }
}

/** Sets the password of whoever was invited, and ends every session that another one opened. Answers with their email. */
export async function acceptInvitation(
  database: Writable,
  secret: string,
  newPassword: string,
): Promise<{ email: string }> {
  const known = await findInvitation(database, hashed(secret))
  if (known === undefined) throw new Problem('invalid_invitation')
  const hash = await hashPassword(newPassword)
  await database.transaction(async (tx) => {
    await lockUser(tx, known.user_id)
    if (!(await deleteInvitation(tx, hashed(secret)))) throw new Problem('invalid_invitation')
    await setPassword(tx, known.user_id, hash)
    await deleteSessionsOf(tx, known.user_id)
    await insertAuditEntry(
      tx,
      { name: known.email },
      { action: 'user.accept_invitation', target: `user ${known.user_id}`, details: { email: known.email } },
    )
  })
  return { email: known.email }
}

export function hashed(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
