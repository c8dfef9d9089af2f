import { proposalLimits } from '../../model/limits/proposals.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notFound } from '../../platform/http/problems.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import type { ModelKey } from '../prompts/model-outcomes.sql.ts'
import { preparationJob } from './preparation.sql.ts'
import { lineStates, type Origin, outcomes, type Proposal, type ProposalState } from './proposal.schema.ts'

/** A proposal with its internal columns. */
export type ProposalRow = Proposal & {
  token_id: number | null
  is_late: boolean
  /** What wrote the lines of a run; their outcomes count for it. */
  written_by: ModelKey | null
}

/** The proposal as responses show it. */
export function showProposal({
  token_id: _token,
  is_late: _late,
  written_by: _model,
  ...proposal
}: ProposalRow) {
  return proposal
}

/** The maximum number of nested reverts to follow. */
const maxRevertDepth = 50

/**
 * The revert of `proposal`, as JSON; null while its changes are in effect. A revert undoes them, a revert of that revert restores
 * them, and so on: the one that was applied last decides. A subquery, so that a list computes it after its limit.
 */
const revertedBy = sql`(
  with recursive later as (
    select revert.id, revert.state, revert.applied_at, 1 as depth from proposals as revert
    where revert.project_id = proposal.project_id and revert.reverts_id = proposal.id and revert.applied > 0
    union all
    select revert.id, revert.state, revert.applied_at, later.depth + 1
    from later join proposals as revert on revert.project_id = proposal.project_id and revert.reverts_id = later.id
    where revert.applied > 0 and later.depth < ${maxRevertDepth}
  ), last as (
    select depth % 2 = 1 as is_undo, state = 'applied' as is_whole from later order by applied_at desc, id desc limit 1
  )
  select json_build_object('id', (select max(id) from later where depth = 1), 'fully', is_undo and is_whole)
  from last where is_undo or not is_whole
)`

const outcomeColumns = raw(outcomes.map((name) => `'${name}', ${name}`).join(', '))
/** Lines that were rejected when they were proposed, and lines that were rejected later, have one state. */
const stateColumns = raw(
  lineStates.map((name) => `'${name}', ${name === 'rejected' ? 'rejected + refused' : name}`).join(', '),
)
const shown = sql`
  id, title, state, origin, actor, revision,
  json_build_object('total', lines, 'prepared', prepared,
    'outcomes', json_build_object(${outcomeColumns}), 'states', json_build_object(${stateColumns})) as summary,
  reverts_id as reverts, ${revertedBy} as reverted_by, run_id as run, created_at, expires_at, applied_at, reason`

export const rowColumns = sql`${shown}, token_id, written_by, expires_at <= clock_timestamp() as is_late`

/**
 * Held until the transaction ends. No product is erased while a proposal reads it, so that the erasure of a product finds all
 * lines about it. An erasure locks exclusively.
 */
export function lockErasure(tx: Transaction, projectId: number, isExclusive: boolean): Promise<void> {
  return lockInProject(tx, advisoryLocks.erasure, projectId, isExclusive ? 'alone' : 'shared')
}

export type NewProposal = {
  title: string
  origin: Origin
  state: 'preparing' | 'open'
  actor: string
  tokenId: number | null
  edits?: object
  revertsId?: number
  run?: { id: number; writtenBy: ModelKey }
}

export async function insertProposal(
  tx: Transaction,
  projectId: number,
  { title, origin, state, actor, tokenId, edits, revertsId, run }: NewProposal,
): Promise<number> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into proposals (project_id, title, origin, state, actor, token_id, edits, reverts_id, run_id, written_by, expires_at)
    values (${projectId}, ${title}, ${origin}, ${state}, ${actor}, ${tokenId},
            ${edits === undefined ? null : JSON.stringify(edits)}::jsonb, ${revertsId ?? null}, ${run?.id ?? null},
            ${run === undefined ? null : JSON.stringify(run.writtenBy)}::jsonb,
            clock_timestamp() + ${proposalLimits.openDays} * interval '1 day')
    returning id`)
  const { id } = row as { id: number }
  if (state === 'preparing') await requestJob(tx, preparationJob({ projectId, id }))
  return id
}

export async function countOpenProposals(
  database: Queryable,
  projectId: number,
  tokenId: number | null,
): Promise<{ all: number; ofToken: number }> {
  const [row] = await database.query(sql<{ all: number; ofToken: number }>`
    select count(*) as all, count(*) filter (where token_id = ${tokenId}) as "ofToken" from proposals
    where project_id = ${projectId} and state in ('preparing', 'open', 'applying')`)
  return row ?? { all: 0, ofToken: 0 }
}

export async function requireProposal(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<ProposalRow> {
  const [row] = await findProposals(database, projectId, [id])
  if (row === undefined) throw notFound('proposal', id)
  return row
}

export async function findProposals(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<ProposalRow[]> {
  if (ids.length === 0) return []
  return database.query(sql<ProposalRow>`
    select ${rowColumns} from proposals as proposal
    where project_id = ${projectId} and id = any(${ids}::bigint[]) order by id`)
}

/** The proposal that a revert undoes, the one that this proposal undoes if it is a revert, and so on. */
export async function listReverted(
  database: Queryable,
  projectId: number,
  reverts: number | null,
): Promise<number[]> {
  if (reverts === null) return []
  const rows = await database.query(sql<{ id: number }>`
    with recursive earlier as (
      select id, reverts_id, 1 as depth from proposals where project_id = ${projectId} and id = ${reverts}
      union all
      select proposal.id, proposal.reverts_id, earlier.depth + 1
      from earlier join proposals as proposal on proposal.project_id = ${projectId} and proposal.id = earlier.reverts_id
      where earlier.depth < ${maxRevertDepth}
    )
    select id from earlier`)
  return rows.map(({ id }) => id)
}

export function listProposals(
  database: Queryable,
  projectId: number,
  { state, origin }: { state?: ProposalState; origin?: Origin },
  orderBy: Sql,
  page: PageRequest,
): Promise<Page<Proposal>> {
  const where = [
    sql`proposal.project_id = ${projectId}`,
    ...(state === undefined ? [] : [sql`proposal.state = ${state}`]),
    ...(origin === undefined ? [] : [sql`proposal.origin = ${origin}`]),
  ]
  return selectPage(database, {
    columns: shown,
    from: sql`proposals as proposal`,
    where: join(where, ' and '),
    orderBy,
    page,
  })
}
