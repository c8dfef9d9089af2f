import { verifyPassword } from '@better-auth/utils/password'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { Problem } from '../../platform/http/problems.ts'
import { secondFactorLimits } from '../limits.ts'
import { passwordLimits, type Throttle } from '../throttle/throttle.ts'

type Opened = { user_id: number; created_at: string }

export type Reauthenticate = ReturnType<typeof reauthentication>

/** Second factors change only with the password, so that an unlocked computer is not enough. Without a password, the sign-in must be recent. */
export function reauthentication(database: Queryable, throttled: Throttle) {
  return async ({ user_id, created_at }: Opened, password: string | undefined): Promise<void> => {
    const hash = await findPasswordOf(database, user_id)
    if (hash === undefined) {
      const ageSeconds = (Date.now() - Date.parse(created_at)) / 1000
      if (ageSeconds > secondFactorLimits.freshSessionSeconds) throw new Problem('reauthentication_required')
      return
    }
    await throttled(passwordLimits(user_id), async () => {
      if (password === undefined || !(await verifyPassword(hash, password))) throw wrongPassword()
    })
  }
}

export async function findPasswordOf(database: Queryable, userId: number): Promise<string | undefined> {
  const [row] = await database.query(sql<{ password: string }>`
    select password from accounts
    where user_id = ${userId} and provider_id = 'credential' and password is not null`)
  return row?.password
}

function wrongPassword(): Problem {
  const message = 'is not your current password'
  return new Problem('invalid_body', { errors: [{ pointer: '/password', code: 'wrong_password', message }] })
}
