import { randomInt } from 'node:crypto'

export const shortestPassword = 10
export const longestPassword = 128

// Without characters that look alike: it may be read out, or typed.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 16

/** Some 90 bits of chance; its owner may choose another after the first sign-in. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}
