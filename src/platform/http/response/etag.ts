import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The version of what is shown; it leads the ETag, so that a writer can be asked whether it saw the latest. */
    shownVersion: number | undefined
  }
}

/** A strong tag for every successful JSON answer, and 304 for a client that has it already. */
export function tagResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: null, payload?: unknown) => void,
): void {
  const isText = typeof payload === 'string' || (Buffer.isBuffer(payload) && isRead(request))
  const isTagged = reply.statusCode < 300 && reply.statusCode !== 204 && isText
  done(null, isTagged && isKnown(request, reply, setTag(reply, payload)) ? null : payload)
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Bytes are shared by the answers of one moment, and so is their digest. */
const digests = new WeakMap<Buffer, string>()

function digestOf(payload: string | Buffer): string {
  const known = typeof payload === 'string' ? undefined : digests.get(payload)
  const digest = known ?? hash('sha1', payload, 'base64url').slice(0, 22)
  if (typeof payload !== 'string') digests.set(payload, digest)
  return digest
}

export function setTag(reply: FastifyReply, payload: string | Buffer): string {
  const digest = digestOf(payload)
  const tag = reply.shownVersion === undefined ? `"${digest}"` : `"${reply.shownVersion}-${digest}"`
  // A private cache may keep it, but asks each time: a token can be revoked between two reads.
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  return tag
}

function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  if (!isRead(request) || !matchesTag(request.headers['if-none-match'], tag)) return false
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return true
}

/** Whether If-None-Match names the tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}

/** If-Match holds when one of its tags has this version; what else is shown (stock, a category's name) may differ. */
export function requireMatch(header: string | undefined, version: number | undefined): void {
  if (header === undefined) return
  const wanted = header.split(',').map((one) => /^(?:W\/)?"(\d+)-[^"]*"$/.exec(one.trim())?.[1])
  if (version !== undefined && (header.trim() === '*' || wanted.includes(String(version)))) return
  throw new Problem('precondition_failed', {
    detail:
      version === undefined
        ? 'If-Match names a version, and there is no such product.'
        : `The product is at version ${version} now; read it again and repeat the change.`,
  })
}

/** A condition that a route does not check is refused: to write regardless would be worse. */
export function rejectUncheckedCondition(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: () => void,
): void {
  const { method, headers } = request
  const isAsked = method !== 'GET' && method !== 'HEAD' && headers['if-match'] !== undefined
  if (isAsked && request.routeOptions.config.problems?.includes('precondition_failed') !== true)
    throw new Problem('malformed_request', { detail: 'This address does not take If-Match; leave it out.' })
  done()
}
