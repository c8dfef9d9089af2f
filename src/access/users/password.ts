import { randomInt } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'

// The alphabet has no characters that look alike: people read passwords out, and type them.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 16

export type GeneratedPassword = { password: string; hash: string }

/** Some 90 bits of chance; the owner may choose another password after the first sign-in. */
export async function generatePassword(): Promise<GeneratedPassword> {
  const letters = Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)])
  const password = letters.join('')
  return { password, hash: await hashPassword(password) }
}
