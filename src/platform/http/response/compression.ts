import compress from '@fastify/compress'
import type { onSendHookHandler, RouteOptions } from 'fastify'
import { responseLimits } from '../../limits/responses.ts'
import type { Server } from '../server.ts'

/** Compresses answers for clients that ask. Bodies of requests are unpacked elsewhere (unpack-body.ts). */
export async function compressResponses(app: Server): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: responseLimits.compressedBytes,
    // In the order of their speed; each makes a large page about a tenth of its size.
    encodings: ['zstd', 'br', 'gzip'],
  })
  app.addHook('onRoute', compressWhenAsked)
  app.addHook('onRoute', compressBeforeHead)
  // On every answer: a cache that keeps the plain one must know, too, that there is another.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('vary', 'accept-encoding')
    done()
  })
}

/** The library's hook, which has just been added as the last, looks at much before it sees that nobody asked. */
function compressWhenAsked(route: RouteOptions): void {
  if (route.compress === false) return
  const hooks = [route.onSend ?? []].flat() as onSendHookHandler[]
  const compressAnswer = hooks.pop()
  route.onSend = [
    ...hooks,
    function (request, reply, payload, done) {
      if (request.headers['accept-encoding'] === undefined) done(null, payload)
      else compressAnswer?.call(this, request, reply, payload, done)
    },
  ]
}

/**
 * HEAD tells the length that GET would send, so its body is dropped after compression, not before. Fastify's own hook, which
 * drops it, fails on an answer that has no body (304).
 */
function compressBeforeHead(route: RouteOptions): void {
  if (route.method !== 'HEAD') return
  const [dropBody, ...others] = [route.onSend ?? []].flat() as onSendHookHandler[]
  route.onSend = [
    ...others,
    function (request, reply, payload, done) {
      if (payload === null) done(null, null)
      else dropBody?.call(this, request, reply, payload, done)
    },
  ]
}
