import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { beforeBodies } from '../write-routes.ts'

/**
 * Decompresses gzip as it arrives, so that the reader of the body can limit the decompressed size. brotli and zstd are not
 * supported, because they need a window of several megabytes for each body.
 */
export function decompressBodies(app: FastifyInstance): void {
  beforeBodies(app, (request, reply, payload, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.toLowerCase() === 'identity' || !hasBody(request))
      done(null, payload)
    else if (/^(x-)?gzip$/i.test(encoding)) done(null, unpack(payload as Readable, reply.raw))
    else done(unsupported())
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function unsupported(): Problem {
  return new Problem('unsupported_media_type', {
    detail: 'Send the body uncompressed or with Content-Encoding: gzip.',
    headers: { 'accept-encoding': 'gzip' },
  })
}

function unpack(packed: Readable, response: ServerResponse): Readable {
  const gunzip = createGunzip()
  // The reader of the body gets errors; an error without a listener would end the process.
  gunzip.on('error', () => {})
  const ended = finished(packed)
  ended.catch(() => gunzip.destroy(new Problem('malformed_request')))
  let packedBytes = 0
  const plain = Readable.from(unpacked(), { objectMode: false })
  // Fastify compares the Content-Length header with this number.
  Object.defineProperty(plain, 'receivedEncodedLength', { get: () => packedBytes })
  plain.on('error', () => {})
  // A rejected body is not decompressed further; the rest is discarded as it arrives.
  response.once('close', () => {
    packed.unpipe(gunzip)
    gunzip.destroy()
    plain.destroy()
    packed.resume()
  })

  // Started by the reader, so that a body that waits for memory, or is rejected, stays compressed.
  async function* unpacked(): AsyncGenerator<Buffer> {
    packed.on('data', (chunk: Buffer) => {
      packedBytes += chunk.length
    })
    packed.pipe(gunzip)
    try {
      for await (const chunk of gunzip) yield chunk
    } catch (error) {
      throw error instanceof Problem ? error : broken()
    }
    await ended
    // The library silently ignores bytes after the end.
    if (gunzip.bytesWritten !== packedBytes) throw broken()
  }
  return plain
}

function broken(): Problem {
  return new Problem('malformed_request', {
    detail: 'The body is not valid gzip, or has other bytes before or after it.',
  })
}
