import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Problem } from './problems.ts'
import type { Server } from './server.ts'

/** The reference talks to this server alone: no fonts, assistants or reports of others. */
const configuration = {
  url: '/openapi.json',
  pageTitle: 'Catalog Service API',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'token' },
} as const

/** The interactive reference. It is large, and most processes never show it: the first who asks brings it into memory. */
export function serveReference(app: Server): void {
  let reference: Promise<FastifyInstance> | undefined

  async function open(): Promise<FastifyInstance> {
    const { default: scalar } = await import('@scalar/fastify-api-reference')
    const instance = fastify()
    await instance.register(scalar, { routePrefix: '/docs', configuration })
    return instance
  }

  async function answer({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reference ??= open().catch((error) => {
      reference = undefined
      throw error
    })
    const { statusCode, headers, payload } = await (await reference).inject(url)
    if (statusCode === 404) throw new Problem('unknown_route')
    const { 'content-type': type, location } = headers
    if (type !== undefined) reply.type(String(type))
    if (location !== undefined) reply.header('location', location)
    return reply.code(statusCode).send(payload)
  }

  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, answer)
}
