import type { FastifyReply, FastifyRequest } from 'fastify'
import { openSealedText, sealText } from '../../platform/secrets/sealed-text.ts'
import { secondFactorLimits } from '../limits.ts'
import { cookieName, isSecure, readCookie } from './cookie.ts'

/**
 * What the service remembers between two steps of a sign-in: an encrypted cookie, so that clients which start a thousand sign-ins store
 * nothing in the database. Each kind has its own cookie and its own key.
 */
export type Tickets<Content extends object> = {
  give(request: FastifyRequest, reply: FastifyReply, content: Content): Promise<void>
  read(request: FastifyRequest): Promise<Content | undefined>
  take(request: FastifyRequest, reply: FastifyReply): Promise<Content | undefined>
}

export function openTickets<Content extends object>(
  secret: () => Promise<string>,
  kind: string,
): Tickets<Content> {
  const purpose = `ticket ${kind}`

  async function read(request: FastifyRequest): Promise<Content | undefined> {
    const sealed = readCookie(request, kind)
    const text = sealed === undefined ? undefined : openSealedText(await secret(), purpose, sealed)
    if (text === undefined) return undefined
    const { expires, content } = JSON.parse(text) as { expires: number; content: Content }
    return expires > Date.now() ? content : undefined
  }

  return {
    async give(request, reply, content) {
      const expires = Date.now() + secondFactorLimits.stepSeconds * 1000
      const sealed = sealText(await secret(), purpose, JSON.stringify({ expires, content }))
      setCookie(request, reply, kind, sealed, secondFactorLimits.stepSeconds)
    },
    read,
    async take(request, reply) {
      const content = await read(request)
      if (readCookie(request, kind) !== undefined) setCookie(request, reply, kind, '', 0)
      return content
    },
  }
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: string,
  value: string,
  seconds: number,
): void {
  const attributes = `Max-Age=${seconds}; Path=/console; HttpOnly; SameSite=Lax${isSecure(request) ? '; Secure' : ''}`
  reply.header('set-cookie', `${cookieName(request, kind)}=${value}; ${attributes}`)
  reply.header('cache-control', 'no-store')
}
