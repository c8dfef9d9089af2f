import type { FastifyReply, FastifyRequest } from 'fastify'
import { grants, type Scope } from '../../model/scopes.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import { enforceRateLimit, type RateLimiter } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { bearerHashes, challenge, invalidToken } from './bearer-token.ts'
import type { Caller } from './caller.ts'
import { limitUnknownTokens } from './limit-unknown-tokens.ts'
import type { Credentials } from './token.sql.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a token needs for this route; 'any' accepts every valid token. */
    scope?: Scope | 'any'
    /** Starts the handler's first read during the token check. The handler gets the result only after the check. */
    beginReading?: (projectId: number, request: FastifyRequest) => Promise<unknown> | undefined
  }
  interface FastifyRequest {
    /** Set on every API route before its handler runs. */
    caller: Caller
    /** The read that `beginReading` started. */
    reading: Promise<unknown> | undefined
    /** For routes that wait: reads the caller again. Throws the error that a new request would get. */
    recheckCaller: () => Promise<Caller>
  }
}

/** Finds a token by its hash. */
export type FindCredentials = (hash: string) => Promise<Credentials | undefined>

/** Checks the token, the project's API access, its rate limit and the scope of the token, in this order. */
export function authenticate(
  find: FindCredentials,
  { project: projectLimits, address: addressLimits }: RateLimiter,
  onUse: (caller: Credentials) => void,
  /** For routes whose responses are stored. Others do not pay for the fence. */
  stored?: {
    findFenced: FindCredentials
    /** Whether the request is read as if its response could not be stored. */
    skips: (projectId: number, request: FastifyRequest) => boolean
    /** Whether the read of a request may begin early. */
    readsAhead: (projectId: number, request: FastifyRequest) => boolean
  },
) {
  const hashOf = bearerHashes()
  const projects = rememberProjects()
  const countUnknown = limitUnknownTokens(addressLimits)

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const hash = hashOf(request)
    const { beginReading, cached, scope, waits = false } = request.routeOptions.config
    const known = cached && stored && projects.idOf(hash)
    const isSkipped = cached === undefined || (known !== undefined && stored?.skips(known, request) === true)
    const ofStored = isSkipped ? undefined : stored
    const refund = projects.has(hash) ? undefined : countUnknown(request.ip)
    const projectId = beginReading && projects.take(hash)
    if (projectId !== undefined && ofStored?.readsAhead(projectId, request) !== false) {
      request.reading = beginReading?.(projectId, request)
      request.reading?.catch(() => {})
    }
    const caller = await (ofStored?.findFenced ?? find)(hash).catch((error) => {
      refund?.()
      throw error
    })
    if (caller === undefined || !caller.valid) {
      projects.forget(hash)
      throw invalidToken()
    }
    refund?.()
    const project = projects.remember(caller)
    // 0 until all checks pass: no read starts early for a caller that was rejected last time.
    project.requestsLeft = 0
    if (!caller.api_access) throw apiAccessLocked(request, caller)
    const remaining = limitRate(caller, reply, projectLimits)
    if (scope !== 'any' && scope !== undefined) requireScope(caller, scope)
    project.requestsLeft = remaining
    onUse(caller)
    request.caller = caller
    if (waits)
      request.recheckCaller = async () => {
        const current = await find(hash)
        if (current === undefined || !current.valid) throw invalidToken()
        if (!current.api_access) throw apiAccessLocked(request, current)
        if (scope !== 'any' && scope !== undefined) requireScope(current, scope)
        return current
      }
  }
}

const maxRememberedProjects = 10_000

/**
 * Remembers the project of each token, which never changes. `take` returns it for as many requests as the rate limit last had left:
 * further requests will most likely be rejected and must not cost a read.
 */
function rememberProjects() {
  const remembered = boundedMap<string, { id: number; requestsLeft: number }>(maxRememberedProjects)
  return {
    has: remembered.has,
    idOf: (hash: string): number | undefined => remembered.get(hash)?.id,
    take(hash: string): number | undefined {
      const project = remembered.get(hash)
      if (project === undefined || project.requestsLeft < 1) return undefined
      project.requestsLeft -= 1
      return project.id
    },
    remember({ hash, project_id }: Credentials): { requestsLeft: number } {
      const known = remembered.get(hash)
      if (known !== undefined) return known
      const project = { id: project_id, requestsLeft: 0 }
      remembered.set(hash, project)
      return project
    },
    forget: remembered.delete,
  }
}

/** For handlers that need another scope than their route. */
export function requireScope({ scopes }: { scopes: readonly Scope[] }, scope: Scope): void {
  if (grants(scopes, scope)) return
  throw new Problem('insufficient_scope', {
    detail: `The token lacks the scope ${scope}; ask the operator for a token that has it.`,
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
  })
}

function apiAccessLocked(request: FastifyRequest, { project_id, plan }: Credentials): Problem {
  const page = `${baseUrlOf(request)}/projects/${project_id}/settings/api-access`
  return new Problem('api_access_locked', {
    detail: `API access is not enabled for this project (plan ${plan}); request it at ${page}`,
    headers: { link: `<${page}>; rel="help"` },
  })
}

/** Returns the number of requests that the project has left. */
function limitRate(
  { project_id, requests_per_second, burst }: Credentials,
  reply: FastifyReply,
  { take }: Buckets,
): number {
  if (requests_per_second === null) return Number.POSITIVE_INFINITY
  const limit = { requestsPerSecond: requests_per_second, burst }
  const result = take(BigInt(project_id), limit)
  enforceRateLimit(reply, 'project', limit, result)
  return result.remaining
}
