import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { isSecure } from '../cookies/cookie.ts'
import type { Auth } from './auth.ts'

export type LoadAuth = (request: FastifyRequest) => Promise<Auth>

/** Loads better-auth at the first sign-in, because it takes 0.25 s and 40 MB. */
export function authLoader(database: Database, secret: () => Promise<string>): LoadAuth {
  const loaded = new Map<boolean, Auth>()
  return async (request) => {
    const secure = isSecure(request)
    const known = loaded.get(secure)
    if (known !== undefined) return known
    const { createAuth } = await import('./auth.ts')
    const auth = loaded.get(secure) ?? createAuth(database, await secret(), secure)
    loaded.set(secure, auth)
    return auth
  }
}
