import type { FastifyRequest } from 'fastify'
import type { FreshResponses } from '../../model/freshness/fresh-responses.ts'
import { grants } from '../../model/scopes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { readInteger } from '../../platform/http/query/query-values.ts'
import { isManager, scopesOf } from '../roles.ts'
import type { Caller } from '../tokens/caller.ts'
import { findProjectOf, findSession, type SignedIn } from './session.sql.ts'
import { hashSessionToken, readSessionToken } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every console route before its handler runs. */
    session: SignedIn
  }
}

/**
 * Sets `request.session`, or returns 401 without a session. A page sends its user in `Catalog-User`, so that its requests are not
 * attributed to another user who signed in meanwhile.
 */
export function requireSession(database: Queryable, secret: () => Promise<string>) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = readSessionToken(request, await secret())
    const session = token === undefined ? undefined : await findSession(database, hashSessionToken(token))
    if (session === undefined)
      throw new Problem('not_authenticated', { detail: 'Sign in to the console first.' })
    const { 'catalog-user': user = String(session.user_id) } = request.headers
    if (user !== String(session.user_id)) throw new Problem('other_account')
    request.session = session
    if (session.lacks_second_factor && request.routeOptions.config.withoutSecondFactor !== true)
      throw new Problem('second_factor_required')
  }
}

/** Operator routes return 404 to all other users. */
export async function requireOperator({ session }: FastifyRequest): Promise<void> {
  if (!session.operator) throw new Problem('unknown_route')
}

/** Sets `request.caller` for API routes: the project in the URL with the scopes of the role, whatever the plan. */
export function requireMember(database: Queryable, stored?: FreshResponses) {
  return async (request: FastifyRequest): Promise<void> => {
    const { project_id: text = '' } = request.params as { project_id?: string }
    const id = readInteger(text)
    const project =
      id === undefined ? undefined : await findProjectOf(database, request.session.user_id, id, stored)
    if (project === undefined) throw new Problem('not_found', { detail: `There is no project ${text}.` })
    const { id: project_id, name: project_name, ...rest } = project
    const caller: Caller = {
      ...rest,
      project_id,
      project_name,
      token_id: 0,
      token_name: request.session.email,
      scopes: scopesOf(rest.role),
      source: 'console',
    }
    request.caller = caller
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A user whose role requires a second factor can call the route before setting one up. */
    withoutSecondFactor?: boolean
    /** In the console, only managers can call the route. Tokens need only the scope. */
    managersOnly?: boolean
  }
}

/** Console users need a role where tokens need a scope. */
export async function requireRole({ caller, routeOptions }: FastifyRequest): Promise<void> {
  const { scope, managersOnly = false } = routeOptions.config
  const isAllowed = scope === undefined || scope === 'any' || grants(caller.scopes, scope)
  if (isAllowed && (!managersOnly || isManager(caller.role))) return
  const needed = managersOnly ? 'managers' : 'editors and managers'
  throw new Problem('insufficient_role', {
    detail: `Your role in this project is ${caller.role}. Only ${needed} can do this. Ask a manager for another role.`,
  })
}
