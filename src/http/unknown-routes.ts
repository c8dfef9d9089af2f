import type { FastifyReply, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { Problem } from './problems.ts'
import type { Server } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every registered route, for the tests of guarantees that hold for all. */
    routeTable: { method: string; url: string; scope: string | undefined }[]
  }
}

/** 405 with Allow for an address that exists under other methods, 404 for one that does not. */
export function answerUnknownRoutes(app: Server): void {
  const addresses = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 16_384 })
  const methods = new Map<string, Set<string>>()

  app.decorate('routeTable', [])

  app.addHook('onRoute', ({ url, method, config }) => {
    const known = methods.get(url) ?? new Set<string>()
    for (const one of [method].flat()) {
      known.add(one)
      app.routeTable.push({ method: one, url, scope: config?.scope })
    }
    if (!methods.has(url)) addresses.on('GET', url, () => {}, known)
    methods.set(url, known)
  })

  app.setNotFoundHandler((request: FastifyRequest, _reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1)
    const allowed = addresses.find('GET', path)?.store as Set<string> | undefined
    if (allowed === undefined) throw new Problem('unknown_route')
    const allow = [...allowed].sort().join(', ')
    throw new Problem('method_not_allowed', { detail: `This address takes ${allow}.`, headers: { allow } })
  })
}
