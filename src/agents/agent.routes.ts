import type { AddressInfo } from 'node:net'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Credentials } from '../access/tokens/token.sql.ts'
import type { TokenChecks } from '../access/tokens/token-checks.ts'
import { allowedPart, grants, type Scope } from '../model/scopes.ts'
import type { Queryable } from '../platform/database/database.ts'
import { storedSecret } from '../platform/database/stored-secret.ts'
import { disconnectSignal } from '../platform/http/response/client-disconnect.ts'
import type { Server } from '../platform/http/server.ts'
import { limitConcurrency } from '../platform/scheduling/concurrency-limit.ts'
import { batchRejected, rejectOrigin, webRequest, withKnownTool } from './agent-request.ts'
import { callRoutes, type RejectedCall } from './call-route.ts'
import { agentLimits } from './limits.ts'
import type { Message } from './serve-agents.ts'

type Parts = { app: Server; database: Queryable; tokens: TokenChecks; origins: readonly string[] }

/** What tools can do, even if the token can do more. */
const toolScopes: readonly Scope[] = ['products:propose', 'prompts:read', 'ai:run']

/** What the agent page gives a token. */
const agentScopes: readonly Scope[] = ['products:propose', 'prompts:read']

const AgentQuerySchema = Type.Object({
  tools: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      style: 'form',
      explode: false,
      description: 'Only these tools',
    }),
  ),
  read_only: Type.Optional(Type.Boolean({ description: 'true: only tools that change nothing' })),
})

/** The endpoint of the Model Context Protocol. The console does not have it, so that a session cookie never grants access. */
export function agentRoutes({ app: server, database, tokens, origins }: Parts): FastifyPluginAsyncTypebox {
  const secret = storedSecret(database, 'agents')
  const turns = limitConcurrency({
    most: agentLimits.messages,
    maxPerProject: agentLimits.messagesPerProject,
    maxWaitSeconds: agentLimits.waitSeconds,
    maxWaiting: agentLimits.waitingMessages,
  })
  let handler: Promise<ReturnType<typeof import('./serve-agents.ts')['serveAgents']>> | undefined
  const load = () => {
    handler ??= Promise.all([import('./serve-agents.ts'), secret()]).then(([{ serveAgents }, key]) =>
      serveAgents(server, key),
    )
    handler.catch(() => {
      handler = undefined
    })
    return handler
  }

  return async (app) => {
    app.post(
      '/mcp',
      {
        config: { scope: 'any', problems: ['foreign_origin', 'invalid_body'] },
        schema: {
          hide: true,
          querystring: AgentQuerySchema,
          body: Type.Unsafe<unknown>({}),
          response: { '2xx': Type.Any(), '4xx': Type.Any(), '5xx': Type.Any() },
        },
      },
      async (request, reply) => {
        rejectOrigin(request, origins)
        if (Array.isArray(request.body)) throw batchRejected()
        const { fetch, hasTool } = await load()
        const { authOf } = await import('./serve-agents.ts')
        let rejected: RejectedCall | undefined
        const message = messageOf(server, tokens, request, reply, (call) => {
          rejected = call
        })
        const parsedBody = withKnownTool(request.body, hasTool)
        const { status, headers, text } = await turns.run(
          async () => {
            const response = await fetch(webRequest(request, reply, hasTool), {
              authInfo: authOf(message),
              parsedBody,
            })
            return { status: response.status, headers: response.headers, text: await response.text() }
          },
          request.caller.project_id,
          disconnectSignal(reply),
        )
        if (rejected !== undefined) return sendRejection(reply, rejected)
        return reply
          .code(status)
          .headers(Object.fromEntries(headers))
          .send(text === '' ? undefined : Buffer.from(text))
      },
    )
  }
}

function messageOf(
  app: Server,
  tokens: TokenChecks,
  request: FastifyRequest<{ Querystring: { tools?: string[]; read_only?: boolean } }>,
  reply: FastifyReply,
  reject: Message['reject'],
): Message {
  const { caller, query } = request
  const limited = { ...caller, scopes: allowedPart(caller.scopes, toolScopes) } as Credentials
  const signal = AbortSignal.any([
    disconnectSignal(reply),
    AbortSignal.timeout(agentLimits.messageMilliseconds),
  ])
  return {
    caller: limited,
    wideScopes: caller.scopes.filter((scope) => !grants(agentScopes, scope)),
    call: callRoutes({ app, tokens, caller: limited, request, signal }),
    reviewUrl: (id) => `${app.baseUrl ?? listeningUrl(app)}/projects/${caller.project_id}/proposals/${id}`,
    wanted: query.tools && new Set(query.tools),
    readOnly: query.read_only === true,
    reject,
    log: request.log,
  }
}

/** Without a base URL, the service listens on loopback. Never the Host header, which the client chooses. */
function listeningUrl({ server }: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function sendRejection(reply: FastifyReply, { response }: RejectedCall): FastifyReply {
  const kept = ['www-authenticate', 'retry-after', 'link'].filter(
    (name) => response.headers[name] !== undefined,
  )
  return reply
    .code(response.statusCode)
    .headers(Object.fromEntries(kept.map((name) => [name, response.headers[name]])))
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(response.payload))
}
