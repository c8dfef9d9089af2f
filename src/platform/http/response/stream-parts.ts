import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { disconnectSignal } from './client-disconnect.ts'

const bufferedBytes = 64 * 1024

/**
 * The body of a response that is generated while it is sent. The stream owns the parts: they are closed when the response ends
 * or fails, or when the client disconnects, even before the first part was read. Resolves when the first part is available,
 * because an earlier error can still be returned as a response. The signal aborts when the client disconnects.
 */
export async function streamParts(
  reply: FastifyReply,
  make: (signal: AbortSignal) => AsyncGenerator<string | Buffer>,
): Promise<Readable> {
  const signal = disconnectSignal(reply)
  const parts = make(signal)
  let next: Promise<IteratorResult<string | Buffer>> | undefined = parts.next()
  const stream = new Readable({
    highWaterMark: bufferedBytes,
    read() {
      next ??= parts.next()
      next.then(
        ({ done, value }) => {
          next = undefined
          stream.push(done === true ? null : value)
        },
        (error) => stream.destroy(error),
      )
    },
    destroy(error, destroyed) {
      // Waits for the part that is being generated, if any.
      parts.return(undefined).then(
        () => destroyed(error),
        (closing) => destroyed(error ?? closing),
      )
    },
  })
  // Fastify adds a listener only when the stream is sent; an earlier error would end the process.
  stream.on('error', () => {})
  signal.addEventListener('abort', () => stream.destroy())
  try {
    await next
    signal.throwIfAborted()
    return stream
  } catch (error) {
    stream.destroy()
    throw signal.aborted ? signal.reason : error
  }
}
