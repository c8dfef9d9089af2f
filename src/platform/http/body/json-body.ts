import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyError, Problem } from '../problems.ts'
import { decompressBodies } from './decompress-body.ts'
import { scanJson, UnacceptableJson } from './json-scan.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many members an object or array of the body may have, where it is not the usual number. */
    maxMembers?: number
  }
}

// Faults that the parsed value no longer shows, kept for the validation that reports all faults at once.
const faultsOfBody = new WeakMap<object, BodyError[]>()

const digests = new WeakMap<FastifyRequest, Buffer>()

/** Digests of the bytes that clients sent, which validation may have tidied since; only routes that recognise a repeat keep one. */
export function bodyDigest(request: FastifyRequest): Buffer {
  return digests.get(request) ?? digest('')
}

/** For a body that is read as it arrives; what else tells one request from another counts, too. */
export function keepBodyDigest(request: FastifyRequest, bytes: Hash, rest: string): void {
  digests.set(request, bytes.update(rest).digest())
}

function digest(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export function hiddenErrors(body: unknown): BodyError[] {
  return (typeof body === 'object' && body !== null && faultsOfBody.get(body)) || []
}

/** Replaces Fastify's JSON parser, which mends bad UTF-8 and refuses an empty body that is announced as JSON. */
export function acceptJson(app: FastifyInstance): void {
  decompressBodies(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      rejectCharsets(request)
      if (request.headers['idempotency-key'] !== undefined) digests.set(request, digest(body))
      const { maxMembers } = request.routeOptions.config
      return body.length === 0 ? undefined : parseJsonBody(body, 'body', maxMembers)
    },
  )
}

export function rejectCharsets({ headers }: FastifyRequest): void {
  const [, charset = 'utf-8'] = /charset="?([^";]+)/i.exec(headers['content-type'] ?? '') ?? []
  if (/^utf-?8$/i.test(charset)) return
  throw new Problem('unsupported_media_type', { detail: 'Send the body as UTF-8, with no other charset.' })
}

/** One JSON document, with the faults that its value no longer shows kept for compileBody. */
export function parseJsonBody(body: Buffer, what: 'body' | 'line' = 'body', maxMembers?: number): unknown {
  if (!isUtf8(body)) throw new Problem('malformed_json', { detail: `The ${what} is not valid UTF-8.` })
  const text = body.toString('utf8')
  const value = parse(text, what)
  const faults = scan(text, maxMembers)
  if (typeof value === 'object' && value !== null) faultsOfBody.set(value, faults)
  return value
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('malformed_json', {
      detail: `The ${what} is not valid JSON: ${(error as Error).message}.`,
    })
  }
}

function scan(text: string, maxMembers: number | undefined): BodyError[] {
  try {
    return scanJson(text, maxMembers)
  } catch (error) {
    if (error instanceof UnacceptableJson) throw new Problem('malformed_json', { detail: error.message })
    throw error
  }
}
