import type { Server } from './server.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
// Tracing in a browser sends both Trace Context headers. If one is not allowed, the browser blocks the request.
const requestHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id'
const exposedHeaders =
  'Catalog-Cursor, Catalog-Hint, Catalog-Response, Catalog-Version, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Traceparent, WWW-Authenticate, X-Request-Id'
const preflightSeconds = '600'

/**
 * Allows pages of these origins to call the API. Without origins, the service sends no CORS headers. Cookies are never used: a
 * page sends its token itself. (@fastify/cors would respond to every OPTIONS request, which returns 405 here unless it is a preflight.)
 */
export function allowOrigins(app: Server, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.commonHeaders.vary += ', origin'
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    const { origin } = headers
    if (origin === undefined || !allowed.has(origin)) return
    reply.header('access-control-allow-origin', origin)
    const asked = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    if (!asked) {
      reply.header('access-control-expose-headers', exposedHeaders)
      return
    }
    reply.headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': preflightSeconds,
    })
    return reply.code(204).send()
  })
}
