import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import type { Auth } from './auth.ts'
import { isSecure } from './session-cookie.ts'

export type LoadAuth = (request: FastifyRequest) => Promise<Auth>

/** better-auth costs a quarter of a second and 40 MB: it is loaded when the first person signs in, not before. */
export function authLoader(database: Database, secret: () => Promise<string>): LoadAuth {
  const made = new Map<boolean, Auth>()
  return async (request) => {
    const secure = isSecure(request)
    const known = made.get(secure)
    if (known !== undefined) return known
    const { makeAuth } = await import('./auth.ts')
    const auth = made.get(secure) ?? makeAuth(database, await secret(), secure)
    made.set(secure, auth)
    return auth
  }
}
