import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Transaction, TransactionLimits, Writable } from '../../database/database.ts'
import { bodyDigest } from '../body/json-body.ts'
import { Problem } from '../problems.ts'
import {
  findStoredResponse,
  type IdempotencyScope,
  insertStoredResponse,
  type StoredResponse,
  tryToLockKey,
} from './idempotency.sql.ts'

/** Errors that a route with idempotency keys can return in addition to its own. */
export const repeatProblems = ['idempotency_in_flight', 'idempotency_mismatch'] as const

const keyShape = /^[\x21-\x7e]{1,255}$/

/** The form in which a body that contains a secret is stored. */
export type StoredForm<Body> = {
  encrypt(body: Body): Promise<unknown>
  decrypt(stored: unknown): Promise<Body>
}

/**
 * Runs the write of a POST request. With an Idempotency-Key, the response is stored in the transaction of the write: a repeated
 * request gets the same response, and an interrupted request leaves nothing behind.
 */
export async function respondOnce<Body>(
  database: Database,
  request: FastifyRequest & { caller: { project_id: number } },
  reply: FastifyReply,
  work: (writable: Writable) => Promise<StoredResponse<Body>>,
  // The limits of a nested transaction are ignored.
  limits?: TransactionLimits,
  form?: StoredForm<Body>,
): Promise<Body> {
  const key = request.headers['idempotency-key']
  const response = await (key === undefined
    ? work(database)
    : database.transaction(
        (tx) => repeatable(tx, scopeOf(request, String(key)), bodyDigest(request), work, reply, form),
        { ...limits, project: request.caller.project_id },
      ))
  reply.code(response.status)
  if (response.location !== undefined) reply.header('location', response.location)
  reply.shownVersion = response.version
  return response.body
}

function scopeOf(
  { caller, method, url }: FastifyRequest & { caller: { project_id: number } },
  key: string,
): IdempotencyScope {
  if (!keyShape.test(key)) {
    throw new Problem('malformed_request', {
      detail: 'An Idempotency-Key must have 1 to 255 visible ASCII characters.',
    })
  }
  const [path = ''] = url.split('?', 1)
  return { projectId: caller.project_id, method, path: path.replace(/^\/(api|v2)(?=\/)|\/$/g, ''), key }
}

async function repeatable<Body>(
  tx: Transaction,
  scope: IdempotencyScope,
  digest: Buffer,
  work: (writable: Writable) => Promise<StoredResponse<Body>>,
  reply: FastifyReply,
  form: StoredForm<Body> | undefined,
): Promise<StoredResponse<Body>> {
  if (!(await tryToLockKey(tx, scope))) throw new Problem('idempotency_in_flight')
  const stored = await findStoredResponse(tx, scope)
  if (stored === undefined) {
    const response = await work(tx)
    const body = form === undefined ? response.body : await form.encrypt(response.body)
    await insertStoredResponse(tx, scope, digest, { ...response, body })
    return response
  }
  if (!stored.digest.equals(digest)) throw new Problem('idempotency_mismatch')
  reply.header('idempotency-replayed', 'true')
  const { body, ...response } = stored.response
  return { ...response, body: form === undefined ? (body as Body) : await form.decrypt(body) }
}
