import { hash, randomInt } from 'node:crypto'
import { secondFactorLimits } from '../limits.ts'

// Without characters that look alike. 16 characters have 79 random bits, so the hash can be a fast one.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupCharacters = 4

export function createRecoveryCodes(): string[] {
  return Array.from({ length: secondFactorLimits.recoveryCodes }, createCode)
}

function createCode(): string {
  return Array.from({ length: groups }, createGroup).join('-')
}

function createGroup(): string {
  return Array.from({ length: groupCharacters }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Ignores case, spaces and hyphens, which people add or omit when they type a code. */
export function hashRecoveryCode(userId: number, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return hash('sha256', `${userId}:${plain}`, 'buffer')
}
