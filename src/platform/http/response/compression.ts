import compress from '@fastify/compress'
import type { DoneFuncWithErrOrRes, FastifyReply, onSendHookHandler, RouteOptions } from 'fastify'
import { responseLimits } from '../../limits/responses.ts'
import type { Server } from '../server.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Called with the response if it was compressed at once, as small ones are. */
    onCompressed: ((encoding: string, bytes: Buffer) => void) | undefined
  }
}

/** Compresses responses for clients that request it. `decompress-body.ts` decompresses request bodies. */
export async function compressResponses(app: Server): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: responseLimits.compressedBytes,
    // Fastest first; each reduces a large page to about a tenth of its size.
    encodings: ['zstd', 'br', 'gzip'],
  })
  app.decorateReply('onCompressed', undefined)
  app.addHook('onRoute', compressWhenAsked)
  app.addHook('onRoute', compressBeforeHead)
}

/** The library's hook, which was just added last, does much work before it checks whether compression was requested. */
function compressWhenAsked(route: RouteOptions): void {
  if (route.compress === false) return
  const hooks = [route.onSend ?? []].flat() as onSendHookHandler[]
  const compressResponse = hooks.pop()
  route.onSend = [
    ...hooks,
    function (request, reply, payload, done) {
      if (request.headers['accept-encoding'] === undefined) done(null, payload)
      else
        compressResponse?.call(
          this,
          request,
          reply,
          payload,
          reply.onCompressed ? reportingTo(reply, done) : done,
        )
    },
  ]
}

function reportingTo(reply: FastifyReply, done: DoneFuncWithErrOrRes): DoneFuncWithErrOrRes {
  return (error: Error | null = null, payload?: unknown) => {
    const encoding = reply.getHeader('content-encoding')
    if (Buffer.isBuffer(payload) && typeof encoding === 'string') reply.onCompressed?.(encoding, payload)
    ;(done as (error: Error | null, payload: unknown) => void)(error, payload)
  }
}

/**
 * HEAD returns the length of the GET response, so its body is dropped after compression, not before. Fastify's own hook, which
 * drops it, fails for a response without a body (304).
 */
function compressBeforeHead(route: RouteOptions): void {
  if (route.method !== 'HEAD') return
  const [dropBody, ...others] = [route.onSend ?? []].flat() as onSendHookHandler[]
  route.onSend = [
    ...others,
    function (request, reply, payload, done) {
      if (payload === null || payload === undefined) done(null, null)
      else dropBody?.call(this, request, reply, payload, done)
    },
  ]
}
