import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { beforeBodies } from './before-bodies.ts'

/**
 * Unpacks gzip as it arrives, so that whoever reads the body bounds what it unpacks to. No other encoding: brotli and zstd keep
 * megabytes of window for each body, whatever its size.
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
    detail: 'A body comes plain or with Content-Encoding: gzip.',
    headers: { 'accept-encoding': 'gzip' },
  })
}

function unpack(packed: Readable, answer: ServerResponse): Readable {
  const gunzip = createGunzip()
  // The reader of the body hears of errors; an error that nobody hears would end the process.
  gunzip.on('error', () => {})
  const ended = finished(packed)
  ended.catch(() => gunzip.destroy(new Problem('malformed_request')))
  let packedBytes = 0
  const plain = Readable.from(unpacked(), { objectMode: false })
  // Fastify compares the length that was announced with this one.
  Object.defineProperty(plain, 'receivedEncodedLength', { get: () => packedBytes })
  plain.on('error', () => {})
  // A body that was refused in the middle is not unpacked further; the rest of it is dropped as it comes.
  answer.once('close', () => {
    packed.unpipe(gunzip)
    gunzip.destroy()
    plain.destroy()
    packed.resume()
  })

  // Begun by whoever reads: a body that waits for room, or is refused, stays packed.
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
    // The library leaves out what follows the end, silently.
    if (gunzip.bytesWritten !== packedBytes) throw broken()
  }
  return plain
}

function broken(): Problem {
  return new Problem('malformed_request', {
    detail: 'The body is not gzip, or not from its first byte to its last.',
  })
}
