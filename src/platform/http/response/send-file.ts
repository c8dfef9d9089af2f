import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileStore } from '../../file-store/file-store.ts'
import { whenClosed } from './client-disconnect.ts'
import { matchesTag } from './etag.ts'
import { readRange } from './read-range.ts'

export type SentFile = {
  path: string
  type: string
  /** Identifies the bytes. */
  tag: string
  cacheControl: string
  /** If set, browsers save the file under this name instead of showing it. */
  savedAs?: string | undefined
  /** The known size of the complete file. Only then can a client request a part. */
  bytes?: number | undefined
}

/** Files come from users: browsers must neither guess their type nor run anything in them. */
const untrusted = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Sends a stored file, a part of it, or 304. False if the store does not have the file. Does not return the reply: an await would
 * wait for the end of the response and return undefined.
 */
export async function sendFile(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  store: FileStore,
  { path, type, tag, cacheControl, savedAs, bytes }: SentFile,
): Promise<boolean> {
  const isKnown = matchesTag(headers['if-none-match'], tag)
  // Only GET supports ranges.
  const hasRange = method === 'GET' && !isKnown && bytes !== undefined
  const range = hasRange ? readRange(headers, tag, bytes) : undefined
  const found = isKnown ? undefined : await store.get(path, range)
  if (!isKnown && found === undefined) return false
  reply.headers({ ...untrusted, etag: tag, 'cache-control': cacheControl })
  if (found === undefined) {
    reply.code(304).send()
    return true
  }
  if (bytes !== undefined) reply.header('accept-ranges', 'bytes')
  if (savedAs !== undefined) reply.header('content-disposition', `attachment; filename="${savedAs}"`)
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  reply.type(type).header('content-length', found.bytes)
  // A client that disconnects before the first byte would leave the file open.
  whenClosed(reply, () => found.body.destroy())
  if (reply.raw.destroyed || method === 'HEAD') found.body.destroy()
  reply.send(method === 'HEAD' ? Readable.from([]) : found.body)
  return true
}
