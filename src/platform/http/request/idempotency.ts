import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Transaction, TransactionLimits, Writable } from '../../database/database.ts'
import { bodyDigest } from '../body/json-body.ts'
import { Problem } from '../problems.ts'
import { type Answer, findAnswer, insertAnswer, type Scope, tryToLockKey } from './idempotency.sql.ts'

/** What a route that answers once may answer beside its own errors. */
export const repeatProblems = ['idempotency_in_flight', 'idempotency_mismatch'] as const

const keyShape = /^[\x21-\x7e]{1,255}$/

/** How a body with a secret is kept: nothing that is stored can be read without the key that encrypts it. */
export type KeptForm<Body> = { seal(body: Body): Promise<unknown>; open(kept: unknown): Promise<Body> }

/**
 * Runs a POST's write. With an Idempotency-Key its answer is kept in the transaction of the write: the same request again
 * gets the same answer, and one that was cut off left nothing.
 */
export async function answerOnce<Body>(
  database: Database,
  request: FastifyRequest & { caller: { project_id: number } },
  reply: FastifyReply,
  work: (writable: Writable) => Promise<Answer<Body>>,
  // A transaction within this one has no limits of its own.
  limits?: TransactionLimits,
  form?: KeptForm<Body>,
): Promise<Body> {
  const key = request.headers['idempotency-key']
  const answer = await (key === undefined
    ? work(database)
    : database.transaction(
        (tx) => repeatable(tx, scopeOf(request, String(key)), bodyDigest(request), work, reply, form),
        { ...limits, project: request.caller.project_id },
      ))
  reply.code(answer.status)
  if (answer.location !== undefined) reply.header('location', answer.location)
  reply.shownVersion = answer.version
  return answer.body
}

function scopeOf(
  { caller, method, url }: FastifyRequest & { caller: { project_id: number } },
  key: string,
): Scope {
  if (!keyShape.test(key)) {
    throw new Problem('malformed_request', {
      detail: 'An Idempotency-Key has 1 to 255 visible ASCII characters.',
    })
  }
  const [path = ''] = url.split('?', 1)
  return { projectId: caller.project_id, method, path: path.replace(/^\/(api|v2)(?=\/)|\/$/g, ''), key }
}

async function repeatable<Body>(
  tx: Transaction,
  scope: Scope,
  digest: Buffer,
  work: (writable: Writable) => Promise<Answer<Body>>,
  reply: FastifyReply,
  form: KeptForm<Body> | undefined,
): Promise<Answer<Body>> {
  if (!(await tryToLockKey(tx, scope))) throw new Problem('idempotency_in_flight')
  const kept = await findAnswer(tx, scope)
  if (kept === undefined) {
    const answer = await work(tx)
    const body = form === undefined ? answer.body : await form.seal(answer.body)
    await insertAnswer(tx, scope, digest, { ...answer, body })
    return answer
  }
  if (!kept.digest.equals(digest)) throw new Problem('idempotency_mismatch')
  reply.header('idempotency-replayed', 'true')
  const { body, ...answer } = kept.answer
  return { ...answer, body: form === undefined ? (body as Body) : await form.open(body) }
}
