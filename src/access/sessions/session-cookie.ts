import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

export const cookiePrefix = 'catalog'

/** Whether the cookie has the `__Secure-` prefix, which browsers accept over HTTPS only. */
export function isSecure({ protocol, server }: Pick<FastifyRequest, 'protocol' | 'server'>): boolean {
  return protocol === 'https' || server.baseUrl?.startsWith('https:') === true
}

/** The session token, if the cookie has a valid signature. */
export function readSessionToken(request: FastifyRequest, secret: string): string | undefined {
  const name = `${isSecure(request) ? '__Secure-' : ''}${cookiePrefix}.session_token`
  const value = cookieNamed(request.headers.cookie ?? '', name)
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

function cookieNamed(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const cut = pair.indexOf('=')
    if (cut > 0 && pair.slice(0, cut).trim() === name) return decoded(pair.slice(cut + 1).trim())
  }
  return undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
