import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { AccessRequest, NewAccessRequest } from './access-request.schema.ts'

const columns = sql`request.id, json_build_object('id', project.id, 'name', project.name) as project, request.name,
  request.email, request.purpose, request.state, request.reason, request.created_at, request.decided_at, request.decided_by`
const from = sql`access_requests as request join projects as project on project.id = request.project_id`

export function listAccessRequests(
  database: Queryable,
  state: string | undefined,
  page: PageRequest,
): Promise<Page<AccessRequest>> {
  const where = state === undefined ? sql`true` : sql`request.state = ${state}`
  return selectPage(database, { columns, from, where, orderBy: sql`request.id desc`, page })
}

export async function findLatestRequest(
  database: Queryable,
  projectId: number,
): Promise<AccessRequest | undefined> {
  const [row] = await database.query(sql<AccessRequest>`
    select ${columns} from ${from} where request.project_id = ${projectId} order by request.id desc limit 1`)
  return row
}

export async function lockRequest(tx: Transaction, id: number): Promise<AccessRequest | undefined> {
  const [row] = await tx.query(sql<AccessRequest>`
    select ${columns} from ${from} where request.id = ${id} for update of request`)
  return row
}

/** Returns the id, or undefined while the project has an open request. */
export async function insertRequest(
  tx: Transaction,
  projectId: number,
  request: NewAccessRequest & { createdBy: string },
): Promise<number | undefined> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into access_requests (project_id, name, email, purpose, created_by)
    values (${projectId}, ${request.name}, ${request.email}, ${request.purpose}, ${request.createdBy})
    on conflict (project_id) where state = 'open' do nothing
    returning id`)
  return row?.id
}

type Decision = { state: 'approved' | 'declined'; reason: string | null; tokenId: number | null; by: string }

/** Also returns the account of the member who requested access. */
export async function decideRequest(
  tx: Transaction,
  id: number,
  decision: Decision,
): Promise<{ request: AccessRequest; createdBy: string }> {
  const [row] = await tx.query(sql<{ created_by: string }>`
    update access_requests
    set state = ${decision.state}, reason = ${decision.reason}, token_id = ${decision.tokenId},
        decided_at = now(), decided_by = ${decision.by}
    where id = ${id} returning created_by`)
  return { request: (await lockRequest(tx, id)) as AccessRequest, createdBy: row?.created_by ?? '' }
}
