import { advisoryLocks } from '../../database/advisory-locks.ts'
import { deleteInBatches } from '../../database/batching/delete-in-batches.ts'
import type { Queryable, Transaction } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import { requestLimits } from '../../limits/requests.ts'

/** The response to a POST request, in a form that can be sent again. */
export type StoredResponse<Body = unknown> = {
  status: number
  location?: string
  version?: number
  body: Body
}

export type IdempotencyScope = { projectId: number; method: string; path: string; key: string }

const retention = raw(`interval '${requestLimits.idempotencyHours} hours'`)

/** Locks the key until the transaction ends. A second request with the key does not wait: it returns false. */
export async function tryToLockKey(tx: Transaction, scope: IdempotencyScope): Promise<boolean> {
  const name = JSON.stringify(Object.values(scope))
  const [row] = await tx.query(sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, ${advisoryLocks.idempotencyKey})) as locked`)
  return row?.locked === true
}

/**
 * Locks the response, so that the commit waits for the standby as the commit of a write does. A repeated
 * request must not confirm a write that a failover could still lose.
 */
export async function findStoredResponse(
  tx: Transaction,
  scope: IdempotencyScope,
): Promise<{ digest: Buffer; response: StoredResponse } | undefined> {
  const [row] = await tx.query(sql<{
    request_hash: Buffer
    status: number
    location: string | null
    body: unknown
  }>`
    select request_hash, status, location, body from idempotency_keys
    where ${matches(scope)} and created_at > now() - ${retention}
    for update`)
  if (row === undefined) return undefined
  const { request_hash, status, location, body } = row
  return {
    digest: request_hash,
    response: { status, body, ...versionOf(body), ...(location !== null && { location }) },
  }
}

export async function insertStoredResponse(
  tx: Transaction,
  scope: IdempotencyScope,
  digest: Buffer,
  { status, location, body }: StoredResponse,
): Promise<void> {
  await tx.query(sql`
    insert into idempotency_keys (project_id, method, path, key, request_hash, status, location, body)
    values (${scope.projectId}, ${scope.method}, ${scope.path}, ${scope.key}, ${digest}, ${status}, ${location ?? null},
            ${JSON.stringify(body)})
    on conflict (project_id, method, path, key) do update
    set request_hash = excluded.request_hash, status = excluded.status, location = excluded.location,
        body = excluded.body, created_at = excluded.created_at`)
}

export function deleteOldResponses(database: Queryable, signal: AbortSignal): Promise<void> {
  const outdated = { table: 'idempotency_keys', column: 'created_at', before: sql`now() - ${retention}` }
  return deleteInBatches(database, outdated, signal)
}

function matches({ projectId, method, path, key }: IdempotencyScope) {
  return sql`project_id = ${projectId} and method = ${method} and path = ${path} and key = ${key}`
}

function versionOf(body: unknown): { version?: number } {
  const version = (body as { version?: unknown } | null)?.version
  return typeof version === 'number' ? { version } : {}
}
