import type { Actor } from '../../access/audit/audit.sql.ts'
import { changeUser, createUser, resetPassword } from '../../access/users/manage-user.ts'
import type { GeneratedPassword } from '../../access/users/password.ts'
import type { NewUser } from '../../access/users/user.schema.ts'
import { findUserIdByEmail } from '../../access/users/user.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'

export type SignIn = { email: string; password: string }

/** Creates the account or resets its password. Like the demo token, the password is new at every start. Sessions stay valid. */
export async function prepareSignIn(
  tx: Transaction,
  actor: Actor,
  account: NewUser,
  generated: GeneratedPassword,
): Promise<SignIn> {
  const { email } = account
  const known = await findUserIdByEmail(tx, email)
  if (known === undefined) await createUser(tx, actor, account, generated)
  else {
    const { projects } = await resetPassword(tx, actor, known, { generated, endSessions: false })
    const { project_ids = [] } = account
    // The demo was deleted and created again.
    if (project_ids.some((id) => projects.every((project) => project.id !== id)))
      await changeUser(tx, actor, known, { project_ids })
  }
  return { email, password: generated.password }
}
