import type { FastifyRequest } from 'fastify'

export const cookiePrefix = 'catalog'

/** Whether cookies have the `__Secure-` prefix, which browsers accept over HTTPS only. */
export function isSecure({ protocol, server }: Pick<FastifyRequest, 'protocol' | 'server'>): boolean {
  return protocol === 'https' || server.baseUrl?.startsWith('https:') === true
}

export function cookieName(request: Pick<FastifyRequest, 'protocol' | 'server'>, name: string): string {
  return `${isSecure(request) ? '__Secure-' : ''}${cookiePrefix}.${name}`
}

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const full = cookieName(request, name)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const cut = pair.indexOf('=')
    if (cut > 0 && pair.slice(0, cut).trim() === full) return decoded(pair.slice(cut + 1).trim())
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
