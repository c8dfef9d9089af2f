import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { signInState } from './sign-in-state.sql.ts'

type Checked = { user_id: number; operator: boolean; state: string }

/** Undefined for an unknown email, a disabled user or a wrong password, each after the time of one hash. */
export async function checkPassword(
  database: Queryable,
  email: string,
  password: string,
): Promise<Checked | undefined> {
  const [account] = await database.query(sql<Checked & { password: string | null }>`
    select account.user_id, users.operator, account.password, ${signInState} as state
    from accounts as account join users on users.id = account.user_id
    where users.email = ${email.toLowerCase()} and account.provider_id = 'credential'
      and users.disabled_at is null`)
  if (account === undefined || account.password === null) {
    await hashPassword(password)
    return undefined
  }
  const { password: hash, ...checked } = account
  return (await verifyPassword(hash, password)) ? checked : undefined
}
