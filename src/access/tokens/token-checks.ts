import type { IncomingMessage } from 'node:http'
import { grants, type Scope } from '../../model/scopes.ts'
import { type LimitedRequest, takeRequest } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { bearerHashes } from './bearer-token.ts'
import { rememberProjects } from './known-projects.ts'
import type { Credentials } from './token.sql.ts'

/** The scope that a token needs for a route; 'any' accepts every valid token. */
export type NeededScope = Scope | 'any' | undefined

export type TokenChecks = ReturnType<typeof openTokenChecks>

/** Names a caller whose token an endpoint of this process has already checked. */
export const passHeader = 'catalog-pass'

/** What the routes and the responses that are served before them share. */
export function openTokenChecks({
  limits,
  onUse,
}: {
  limits: Buckets
  onUse: (caller: Credentials) => void
}) {
  const projects = rememberProjects()
  return {
    hashes: bearerHashes(),
    projects,
    /** Credentials that were read before the request was routed. */
    earlier: new WeakMap<IncomingMessage, Promise<Credentials | undefined>>(),
    passes: openPasses(),
    /** Takes a request from the rate limit of the project; undefined if it has none. */
    takeRequest({ project_id, requests_per_second, burst }: Credentials): LimitedRequest | undefined {
      if (requests_per_second === null) return undefined
      return takeRequest(limits, 'project', project_id, { requestsPerSecond: requests_per_second, burst })
    },
    /** After all checks. */
    accept(caller: Credentials, limited: LimitedRequest | undefined): void {
      projects.remember(caller).requestsLeft = limited?.remaining ?? Number.POSITIVE_INFINITY
      onUse(caller)
    },
  }
}

/** Callers that requests inside the process name by a random key, which is valid once. */
function openPasses() {
  const passes = new Map<string, Credentials>()
  return {
    add(key: string, caller: Credentials): string {
      passes.set(key, caller)
      return key
    },
    drop: (key: string) => passes.delete(key),
    /** The caller that the request names. Requests from outside cannot know a key. */
    take({ headers }: IncomingMessage): Credentials | undefined {
      const key = headers[passHeader]
      if (typeof key !== 'string') return undefined
      const caller = passes.get(key)
      passes.delete(key)
      return caller
    },
  }
}

export function hasScope({ scopes }: { scopes: readonly Scope[] }, scope: NeededScope): boolean {
  return scope === undefined || scope === 'any' || grants(scopes, scope)
}

/** Whether the caller passes all checks except the rate limit. */
export function isAllowed(caller: Credentials | undefined, scope: NeededScope): caller is Credentials {
  return caller?.valid === true && caller.api_access && hasScope(caller, scope)
}
