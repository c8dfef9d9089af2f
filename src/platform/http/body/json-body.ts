import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyError, Problem } from '../problems.ts'
import { decompressBodies } from './decompress-body.ts'
import { scanJson, UnacceptableJson } from './json-scan.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The maximum number of members of an object or array in the body, if it differs from the default. */
    maxMembers?: number
  }
}

// Errors that the parsed value no longer shows, stored until validation reports all errors at once.
const errorsOfBody = new WeakMap<object, BodyError[]>()

const digests = new WeakMap<FastifyRequest, Buffer>()

/** Digests of the received bytes, because validation can normalize the body. Only routes with idempotency keys store one. */
export function bodyDigest(request: FastifyRequest): Buffer {
  return digests.get(request) ?? digest('')
}

/** For a body that is read as it arrives. `rest` contains what else distinguishes the request. */
export function keepBodyDigest(request: FastifyRequest, bytes: Hash, rest: string): void {
  digests.set(request, bytes.update(rest).digest())
}

function digest(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export function hiddenErrors(body: unknown): BodyError[] {
  return (typeof body === 'object' && body !== null && errorsOfBody.get(body)) || []
}

/** For a body that becomes a part of another one. */
export function moveHiddenErrors(from: object, to: object, pointer: string): void {
  const moved = hiddenErrors(from).map((error) => ({ ...error, pointer: pointer + error.pointer }))
  errorsOfBody.set(to, moved)
}

/** Replaces Fastify's JSON parser, which repairs invalid UTF-8 and rejects an empty JSON body. */
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

/** Parses one JSON document, and stores the errors that its value no longer shows for compileBody. */
export function parseJsonBody(body: Buffer, what: 'body' | 'line' = 'body', maxMembers?: number): unknown {
  if (!isUtf8(body)) throw new Problem('malformed_json', { detail: `The ${what} is not valid UTF-8.` })
  const text = body.toString('utf8')
  const value = parse(text, what)
  const errors = scan(text, maxMembers)
  if (typeof value === 'object' && value !== null) errorsOfBody.set(value, errors)
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
