import type { FastifyPluginAsync } from 'fastify'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { alreadyCompressed, sendStatic, staticBytes } from '../../platform/http/response/static-bytes.ts'
import { version } from '../../platform/version.ts'
import { clientPackages } from './client-packages.ts'
import { installationText } from './installation-text.ts'

const immutable = 'public, max-age=31536000, immutable'
const tarball = `catalog-client-${version}.tgz`

/** The typed client, which every release serves for itself and for all earlier ones, so that lock files keep working. */
export function clientRoutes(releases?: string): FastifyPluginAsync {
  return async (app) => {
    const files = clientPackages(releases)
    const options = { ...alreadyCompressed, schema: { hide: true } as object }

    app.get('/client', options, async (request, reply) => {
      const text = Buffer.from(installationText(baseUrlOf(request), version))
      return sendStatic(request, reply, staticBytes('text/plain; charset=utf-8', text))
    })

    app.get('/client/catalog-client.tgz', options, async (request, reply) =>
      reply.header('cache-control', 'no-cache').redirect(`${baseUrlOf(request)}/client/${tarball}`, 302),
    )

    app.get<{ Params: { '*': string } }>('/client/*', options, async (request, reply) => {
      const name = request.params['*']
      const file = files.get(name)
      if (file === undefined) throw new Problem('unknown_route')
      // Deno reads the types from this header.
      if (name.endsWith('/index.js')) reply.header('x-typescript-types', './index.d.ts')
      const cacheControl = file.isReleased ? immutable : 'no-cache'
      return sendStatic(request, reply, await file.bytes(), { cacheControl })
    })
  }
}
