import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../platform/http/problems.ts'
import { baseUrlOf } from '../platform/http/request/base-url.ts'
import { isLoopbackName } from '../platform/http/request/loopback.ts'
import { disconnectSignal } from '../platform/http/response/client-disconnect.ts'

/** Pages of other sites can make a browser send requests. Programs send no origin. */
export function rejectOrigin(request: FastifyRequest, origins: readonly string[]): void {
  const { origin } = request.headers
  if (origin === undefined || origin === ownOrigin(request) || origins.includes(origin)) return
  throw new Problem('foreign_origin')
}

/**
 * Without a base URL, only names of this machine. A foreign page whose name resolves to this machine (DNS rebinding) has that name as
 * both its origin and its host.
 */
function ownOrigin(request: FastifyRequest): string | undefined {
  const { baseUrl } = request.server
  return baseUrl ?? (isLoopbackName(request.hostname) ? baseUrlOf(request) : undefined)
}

/** A batch would count many calls as one request. */
export function batchRejected(): Problem {
  const message = 'must be one message; send each message in its own request'
  return new Problem('invalid_body', { errors: [{ pointer: '', code: 'invalid_type', message }] })
}

const unknownTool = 'unknown_tool'

type ToolCall = { method?: unknown; params?: { name?: unknown } | null } | null

/** The library quotes the name of an unknown tool in its error. It may come from a product, so it is replaced. */
export function withKnownTool(body: unknown, hasTool: (name: string) => boolean): unknown {
  const { method, params } = (body as ToolCall) ?? {}
  if (method !== 'tools/call' || typeof params?.name !== 'string' || hasTool(params.name)) return body
  return { ...(body as ToolCall), params: { ...params, name: unknownTool } }
}

/** The request as the library reads it, without the token. */
export function webRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  hasTool: (name: string) => boolean,
): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
  const isToolCall = headers.get('mcp-method') === 'tools/call'
  if (isToolCall && !hasTool(headers.get('mcp-name') ?? '')) headers.set('mcp-name', unknownTool)
  return new Request(`${baseUrlOf(request)}/mcp`, {
    method: 'POST',
    headers,
    signal: disconnectSignal(reply),
  })
}
