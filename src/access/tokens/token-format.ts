import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const shape = /^cat_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** `cat_`, 30 random characters and a 6-character checksum, so that secret scanners can find and verify tokens. */
export function generateToken(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `cat_${random}${checksum(random)}`
}

export function isWellFormedToken(token: string): boolean {
  const [, random, sum] = shape.exec(token) ?? []
  return random !== undefined && checksum(random) === sum
}

/** The database stores the hash and the last characters, which help users distinguish tokens; never the token. */
export type TokenSecret = { token: string; hash: string; lastCharacters: string }

export function generateSecret(): TokenSecret {
  const token = generateToken()
  return { token, hash: hashToken(token), lastCharacters: token.slice(-4) }
}

/** SHA-256 in hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let digit = 0; digit < checksumLength; digit += 1) {
    text = alphabet[rest % alphabet.length] + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
