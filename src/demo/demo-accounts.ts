import { hashPassword } from '@better-auth/utils/password'
import type { Transaction } from '../database/database.ts'
import { addUser } from '../users/manage-user.ts'
import { generatePassword } from '../users/password.ts'
import { findUserIdByEmail, setPassword } from '../users/user.sql.ts'

type SignIn = { email: string; password: string }
export type DemoSignIns = { operator: SignIn; member: SignIn }

/** Like the demo's token, the passwords are new at every start: nobody has to remember them, and none is kept. */
export async function drawSignIns(): Promise<{ signIns: DemoSignIns; hashes: Record<string, string> }> {
  const operator = { email: 'operator@demo.example', password: generatePassword() }
  const member = { email: 'member@demo.example', password: generatePassword() }
  const hash = async ({ email, password }: SignIn) => [email, await hashPassword(password)] as const
  return {
    signIns: { operator, member },
    hashes: Object.fromEntries(await Promise.all([hash(operator), hash(member)])),
  }
}

export async function giveSignIns(
  tx: Transaction,
  hashes: Record<string, string>,
  projectIds: number[],
): Promise<void> {
  for (const [email, passwordHash] of Object.entries(hashes)) {
    const known = await findUserIdByEmail(tx, email)
    if (known !== undefined) await setPassword(tx, known, passwordHash)
    else if (email.startsWith('operator'))
      await addUser(tx, { email, name: 'Demo operator', operator: true }, passwordHash)
    else await addUser(tx, { email, name: 'Demo member', project_ids: projectIds }, passwordHash)
  }
}
