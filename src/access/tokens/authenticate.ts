import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../model/scopes.ts'
import { enforceRateLimit } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { version } from '../../platform/version.ts'
import { challenge, invalidToken } from './bearer-token.ts'
import type { Caller } from './caller.ts'
import { limitUnknownTokens } from './limit-unknown-tokens.ts'
import type { Credentials } from './token.sql.ts'
import { hasScope, type NeededScope, type TokenChecks } from './token-checks.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: NeededScope
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
  tokens: TokenChecks,
  addressLimits: Buckets,
  /** For routes whose responses are stored. Others do not pay for the fence. */
  stored?: {
    findFenced: FindCredentials
    /** Whether the request is read as if its response could not be stored. */
    skips: (projectId: number, request: FastifyRequest) => boolean
    /** Whether the read of a request may begin early. */
    readsAhead: (projectId: number, request: FastifyRequest) => boolean
  },
) {
  const { hashes, projects, earlier } = tokens
  const countUnknown = limitUnknownTokens(addressLimits)

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const passed = tokens.passes.take(request.raw)
    if (passed !== undefined) {
      requireScope(passed, request.routeOptions.config.scope)
      request.caller = passed
      return
    }
    const hash = hashes.require(request.raw)
    const { beginReading, cached, scope, waits = false } = request.routeOptions.config
    const begun = cached && earlier.get(request.raw)
    const known = cached && stored && projects.idOf(hash)
    const isSkipped =
      cached === undefined ||
      (begun === undefined && known !== undefined && stored?.skips(known, request) === true)
    const ofStored = isSkipped ? undefined : stored
    const refund = projects.has(hash) ? undefined : countUnknown(request.ip)
    const projectId = beginReading && projects.take(hash)
    if (projectId !== undefined && ofStored?.readsAhead(projectId, request) !== false) {
      request.reading = beginReading?.(projectId, request)
      request.reading?.catch(() => {})
    }
    const caller = await (begun ?? (ofStored?.findFenced ?? find)(hash)).catch((error) => {
      refund?.()
      throw error
    })
    if (caller === undefined || !caller.valid) {
      projects.forget(hash)
      throw invalidToken()
    }
    refund?.()
    reply.header('catalog-version', version)
    // 0 until all checks pass: no read starts early for a caller that was rejected last time.
    projects.remember(caller).requestsLeft = 0
    if (!caller.api_access) throw apiAccessLocked(request, caller)
    const limited = tokens.takeRequest(caller)
    if (limited !== undefined) enforceRateLimit(reply, limited)
    requireScope(caller, scope)
    tokens.accept(caller, limited)
    request.caller = caller
    if (waits)
      request.recheckCaller = async () => {
        const current = await find(hash)
        if (current === undefined || !current.valid) throw invalidToken()
        if (!current.api_access) throw apiAccessLocked(request, current)
        requireScope(current, scope)
        return current
      }
  }
}

/** For handlers that need another scope than their route. */
export function requireScope(caller: { scopes: readonly Scope[] }, scope: NeededScope): void {
  if (hasScope(caller, scope)) return
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
