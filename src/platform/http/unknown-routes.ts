import type { FastifyReply, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { requestLimits } from '../limits/requests.ts'
import { Problem } from './problems.ts'
import { elsewhereHint } from './request/hints.ts'
import type { Server } from './server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Hints for methods that the route does not support. */
    instead?: Record<string, string>
  }
  interface FastifyInstance {
    /** Every registered route, for tests that apply to all routes. */
    routeTable: {
      method: string
      url: string
      scope: string | undefined
      problems: readonly string[]
      response: Record<number, unknown> | undefined
      /** The schemas of the parts of a request. */
      request: Pick<FastifySchema, 'params' | 'querystring' | 'body'>
    }[]
    /** Under this prefix, only clients that pass the check learn which routes and methods exist. */
    guardUnknown(prefix: string, check: Check): void
    /** The page for people at a URL that does not exist; programs and API clients get a problem. */
    showAtUnknown(show: Show): void
  }
}

type Found = { url: string; known: Set<string> }
type Check = (request: FastifyRequest) => Promise<void>
type Show = (request: FastifyRequest, reply: FastifyReply) => void

/** Returns 405 with Allow for a route that exists with other methods, and 404 otherwise. */
export function handleUnknownRoutes(app: Server): void {
  const methods = new Map<string, Set<string>>()
  let addresses: ReturnType<typeof makeRouter> | undefined
  const hints = new Map<string, string>()
  const guards: { prefix: string; check: Check }[] = []

  app.decorate('routeTable', [])
  let show: Show | undefined
  app.decorate('showAtUnknown', (given) => {
    show = given
  })
  app.decorate('guardUnknown', (prefix, check) => void guards.push({ prefix, check }))

  app.addHook('onRoute', ({ url, method, config, schema }) => {
    for (const [method, hint] of Object.entries(config?.instead ?? {})) hints.set(`${method} ${url}`, hint)
    const known = methods.get(url) ?? new Set<string>()
    for (const one of [method].flat()) {
      known.add(one)
      const { scope, problems = [] } = config ?? {}
      const response = schema?.response as Record<number, unknown> | undefined
      const { params, querystring, body } = schema ?? {}
      app.routeTable.push({
        method: one,
        url,
        scope,
        problems,
        response,
        request: { params, querystring, body },
      })
    }
    methods.set(url, known)
  })

  // Before the body is read, because a body for an unknown route is irrelevant.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done()
    else if (show !== undefined && isForPeople(request)) show(request, reply)
    else rejectUnknown(request).catch(done)
  })

  async function rejectUnknown(request: FastifyRequest): Promise<void> {
    const [path = ''] = request.url.split('?', 1)
    addresses ??= makeRouter(methods)
    const found = addresses.find('GET', path)?.store as Found | undefined
    for (const { prefix, check } of guards) if ((found?.url ?? path).startsWith(prefix)) await check(request)
    throw found === undefined
      ? new Problem('unknown_route', elsewhereHint(path))
      : wrongMethod(request, found)
  }

  function wrongMethod(request: FastifyRequest, found: Found): Problem {
    const allow = [...found.known].sort().join(', ')
    const hint = hints.get(`${request.method} ${found.url}`)
    const detail = `This route supports ${allow}.${hint === undefined ? '' : ` ${hint}`}`
    return new Problem('method_not_allowed', { detail, headers: { allow } })
  }
}

const forPrograms =
  /^\/(api|v\d+|mcp|client|console|assets|media|errors|docs|openapi|metrics|healthz|readyz)(?![\w-])/

/** Whether a browser opens a page. At API URLs, browsers get the same response as programs. */
function isForPeople({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === 'GET' && headers.accept?.includes('text/html') === true
  return isPage && !forPrograms.test(url)
}

/** A router for all paths, regardless of the method. Created for the first request without a route, because it would slow down the start. */
function makeRouter(methods: Map<string, Set<string>>) {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: requestLimits.pathParameterCharacters,
  })
  for (const [url, known] of methods) router.on('GET', url, () => {}, { url, known } satisfies Found)
  return router
}
