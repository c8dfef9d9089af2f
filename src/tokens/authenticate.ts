import type { FastifyReply, FastifyRequest } from 'fastify'
import { applyVerdict, type RateLimiter } from '../http/limits/rate-limit.ts'
import type { Buckets } from '../http/limits/token-buckets.ts'
import { Problem } from '../http/problems.ts'
import { baseUrlOf, countHeaders } from '../http/request/base-url.ts'
import { authorizationHint } from '../http/request/hints.ts'
import type { Caller } from './caller.ts'
import { limitUnknownTokens } from './limit-unknown-tokens.ts'
import { grants, type Scope } from './scopes.ts'
import type { Credentials } from './token.sql.ts'
import { hashToken, isWellFormedToken } from './token-format.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a token needs for this route; 'any' takes every valid token. */
    scope?: Scope | 'any'
    /** What the handler will read first; it is begun while the token is still being checked, and shown only after. */
    beginReading?: (projectId: number, request: FastifyRequest) => Promise<unknown> | undefined
  }
  interface FastifyRequest {
    /** Set on every API route before its handler runs. */
    caller: Caller
    /** What the route began to read. */
    reading: Promise<unknown> | undefined
  }
}

/** Looks a token up by its hash. */
export type FindCredentials = (hash: string) => Promise<Credentials | undefined>

const challenge = 'Bearer realm="catalog"'

/** Who calls, whether the project may, whether it has called too often, and whether the token reaches this far. */
export function authenticate(
  find: FindCredentials,
  { project: projectLimits, address: addressLimits }: RateLimiter,
  onUse: (caller: Credentials) => void,
) {
  const projects = rememberProjects()
  const countUnknown = limitUnknownTokens(addressLimits)

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const hash = hashToken(readBearer(request))
    const { beginReading, scope } = request.routeOptions.config
    const refund = projects.has(hash) ? undefined : countUnknown(request.ip)
    const projectId = beginReading && projects.take(hash)
    if (projectId !== undefined) {
      request.reading = beginReading?.(projectId, request)
      request.reading?.catch(() => {})
    }
    const caller = await find(hash).catch((error) => {
      refund?.()
      throw error
    })
    if (caller === undefined || !caller.valid) {
      projects.forget(hash)
      throw invalidToken()
    }
    refund?.()
    // With no reads to begin until the end of this function: a caller that is refused is checked first from then on.
    projects.keep(caller, 0)
    if (!caller.api_access) throw locked(request, caller)
    const remaining = limitRate(caller, reply, projectLimits)
    if (scope !== 'any' && scope !== undefined) requireScope(caller, scope)
    projects.keep(caller, remaining)
    onUse(caller)
    request.caller = caller
  }
}

const mostProjects = 10_000

/**
 * The project of a token never changes, so unlike anything else of it this may be remembered. It is given out for as many
 * requests as the rate limit last had left: those beyond will most likely be refused, and must not cost a read.
 */
function rememberProjects() {
  const projects = new Map<string, { id: number; requestsLeft: number }>()
  return {
    has: (hash: string): boolean => projects.has(hash),
    take(hash: string): number | undefined {
      const project = projects.get(hash)
      if (project === undefined || project.requestsLeft < 1) return undefined
      project.requestsLeft -= 1
      return project.id
    },
    keep({ hash, project_id }: Credentials, requestsLeft: number): void {
      if (projects.size >= mostProjects) projects.clear()
      projects.set(hash, { id: project_id, requestsLeft })
    },
    forget: (hash: string): void => void projects.delete(hash),
  }
}

function readBearer(request: FastifyRequest): string {
  if (countHeaders(request, 'authorization') > 1) {
    throw new Problem('malformed_request', {
      detail: 'The Authorization header is sent twice; send it once.',
    })
  }
  const { authorization } = request.headers
  if (authorization === undefined)
    throw new Problem('not_authenticated', { headers: { 'www-authenticate': challenge } })
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (!isWellFormedToken(token)) throw invalidToken(authorizationHint(authorization))
  return token
}

function invalidToken(hint?: { detail: string }): Problem {
  return new Problem('invalid_token', {
    ...hint,
    headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
  })
}

/** Also for a handler that reaches beyond the scope of its route. */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (grants(scopes, scope)) return
  throw new Problem('insufficient_scope', {
    detail: `The token lacks the scope ${scope}; ask the operator for a token that has it.`,
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
  })
}

function locked(request: FastifyRequest, { project_id, plan }: Credentials): Problem {
  const page = `${baseUrlOf(request)}/projects/${project_id}/settings/api-access`
  return new Problem('api_access_locked', {
    detail: `API access is not enabled for this project (plan ${plan}); ask for it at ${page}`,
    headers: { link: `<${page}>; rel="help"` },
  })
}

/** How many requests the project has left for this moment. */
function limitRate(
  { project_id, requests_per_second, burst }: Credentials,
  reply: FastifyReply,
  { take }: Buckets,
): number {
  if (requests_per_second === null) return Number.POSITIVE_INFINITY
  const limit = { requestsPerSecond: requests_per_second, burst }
  const verdict = take(BigInt(project_id), limit)
  applyVerdict(reply, 'project', limit, verdict)
  return verdict.remaining
}
