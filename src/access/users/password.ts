import { randomInt } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'

// Without characters that look alike, because people read passwords aloud and type them.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 16

export type GeneratedPassword = { password: string; hash: string }

/** About 90 bits of entropy. The user can change the password after signing in. */
export async function generatePassword(): Promise<GeneratedPassword> {
  const letters = Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)])
  const password = letters.join('')
  return { password, hash: await hashPassword(password) }
}
