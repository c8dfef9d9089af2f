import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { readCookie } from '../cookies/cookie.ts'

/** The session token, if the cookie has a valid signature. */
export function readSessionToken(request: FastifyRequest, secret: string): string | undefined {
  const value = readCookie(request, 'session_token')
  const cut = value?.lastIndexOf('.') ?? -1
  if (value === undefined || cut < 1) return undefined
  const token = value.slice(0, cut)
  // Compares signatures as text: decoding would ignore trailing characters.
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'))
  const sent = Buffer.from(value.slice(cut + 1))
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? token : undefined
}

/** The database stores this hash, never the token. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
