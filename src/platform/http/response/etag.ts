import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { isWriteRoute } from '../write-routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The condition is a revision in the body, not If-Match. */
    checksRevision?: boolean
  }
  interface FastifyReply {
    /** The version of the object. The ETag starts with it, so that a write can check whether the client read the latest version. */
    shownVersion: number | undefined
  }
}

/** Sets a strong ETag on every successful JSON response, and returns 304 to a client that already has it. */
export function tagResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: null, payload?: unknown) => void,
): void {
  const isText = typeof payload === 'string' || (Buffer.isBuffer(payload) && isRead(request))
  const isTagged = reply.statusCode < 300 && reply.statusCode !== 204 && isText
  // A response from memory already has its tag.
  const tag = () =>
    (reply.getHeader('etag') as string | undefined) ?? setTag(reply, payload as string | Buffer)
  done(null, isTagged && isKnown(request, reply, tag()) ? null : payload)
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Simultaneous responses share their bytes, and therefore the digest. */
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
  // A private cache can store it, but must revalidate each time, because the token can be revoked.
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  return tag
}

function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  if (!isRead(request) || !matchesTag(request.headers['if-none-match'], tag)) return false
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return true
}

/** Whether If-None-Match contains the tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}

/** If-Match succeeds if one of its tags has this version. Other data in the response (stock, a category name) can differ. */
export function requireMatch(header: string | undefined, version: number | undefined): void {
  if (header === undefined) return
  const wanted = header.split(',').map((one) => /^(?:W\/)?"(\d+)-[^"]*"$/.exec(one.trim())?.[1])
  if (version !== undefined && (header.trim() === '*' || wanted.includes(String(version)))) return
  throw new Problem('precondition_failed', {
    detail:
      version === undefined
        ? 'If-Match contains a version, but the product does not exist.'
        : `The product is now at version ${version}. Read it again, then repeat the change.`,
  })
}

/** Rejects a condition that a route does not check, because ignoring it could overwrite changes. */
export function rejectUncheckedConditions(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { problems, checksRevision = false } = route.config ?? {}
    if (!isWriteRoute(route) || (problems?.includes('precondition_failed') === true && !checksRevision))
      return
    route.onRequest = [...[route.onRequest ?? []].flat(), rejectCondition]
  })
}

function rejectCondition({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (headers['if-match'] !== undefined)
    throw new Problem('malformed_request', {
      detail: 'This route does not support If-Match. Remove the header.',
    })
  done()
}
