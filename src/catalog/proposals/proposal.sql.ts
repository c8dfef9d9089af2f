import { proposalLimits } from '../../model/limits/proposals.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import type { ModelKey } from '../prompts/model-outcomes.sql.ts'
import { preparationJob } from './preparation.sql.ts'
import {
  type LineState,
  lineStates,
  type Origin,
  type Outcome,
  outcomes,
  type Proposal,
  type ProposalState,
} from './proposal.schema.ts'

/** A proposal with its internal columns. */
export type ProposalRow = Proposal & {
  token_id: number | null
  is_late: boolean
  /** What wrote the lines of a run; their outcomes count for it. */
  written_by: ModelKey | null
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

/** Throws unless lines of the proposal can be applied or discarded. */
export function requireAppliable({ id, state, is_late }: ProposalRow): void {
  if (state === 'preparing') throw new Problem('proposal_preparing')
  const isClosed = state === 'discarded' || state === 'expired' || state === 'failed'
  const isLate = is_late && state !== 'applied' && state !== 'partly_applied'
  if (isClosed || isLate)
    throw new Problem('proposal_closed', {
      detail: `Proposal ${id} is ${isLate ? 'expired' : state}; create a new one.`,
    })
}

/** Throws if the client has read another revision. */
export function requireRevision({ id, revision }: ProposalRow, wanted: number | undefined): void {
  if (wanted === undefined || wanted === revision) return
  throw new Problem('precondition_failed', {
    detail: `Proposal ${id} is now at revision ${revision}. Read its lines again, then repeat the request.`,
  })
}

/** Throws if the caller may change only the proposals of one token, and this is not one of them. */
export function requireOwn({ id, token_id }: ProposalRow, onlyTokenId: number | null, action: string): void {
  if (onlyTokenId === null || token_id === onlyTokenId) return
  throw new Problem('insufficient_scope', {
    detail: `Another token created proposal ${id}; to ${action} it, the token needs the scope products:write.`,
  })
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

/** Locks the proposal, and `others`, until the transaction ends. */
export async function lockProposal(
  tx: Transaction,
  projectId: number,
  id: number,
  others: readonly number[] = [],
): Promise<ProposalRow> {
  await tx.query(sql`
    select from proposals where project_id = ${projectId} and id = any(${[...others, id]}::bigint[])
    order by id for no key update`)
  return requireProposal(tx, projectId, id)
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

/** How many lines entered or left each state. `refused` are lines that were rejected after they were open. */
export type StateCounts = Partial<Record<Exclude<LineState, 'rejected'> | 'refused', number>>
export type OutcomeCounts = Partial<Record<Outcome, number>>

export async function addCounts(
  tx: Transaction,
  projectId: number,
  id: number,
  counts: StateCounts & OutcomeCounts & { prepared?: number; lines?: number },
): Promise<void> {
  const changed = Object.entries(counts).filter(([, count]) => count !== 0)
  if (changed.length === 0) return
  const assignments = changed.map(([name, count]) => sql`${raw(name)} = ${raw(name)} + ${count}`)
  await tx.query(sql`
    update proposals set ${join(assignments)} where project_id = ${projectId} and id = ${id}`)
}

/** Discards all lines of a locked proposal in preparation, including those that are not prepared yet. */
export async function discardPreparing(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    update proposal_lines set state = 'discarded'
    where project_id = ${projectId} and proposal_id = ${id} and state in ('open', 'conflict')`)
  await tx.query(sql`
    update proposals set state = 'discarded', closed_at = clock_timestamp(), open = 0, conflict = 0,
      discarded = lines - rejected - refused
    where project_id = ${projectId} and id = ${id}`)
}

export async function markApplying(database: Transaction, projectId: number, id: number): Promise<void> {
  await database.query(sql`
    update proposals set state = 'applying'
    where project_id = ${projectId} and id = ${id} and state in ('open', 'partly_applied')`)
}

/** Sets the state of locked proposals from their lines. */
export async function updateProposalState(
  tx: Transaction,
  projectId: number,
  ...ids: number[]
): Promise<void> {
  await tx.query(sql`
    update proposals as proposal set state = settled.state,
      applied_at = case when applied > 0 then coalesce(applied_at, clock_timestamp()) end,
      closed_at = case when settled.state in ('discarded', 'failed') then clock_timestamp() end
    from (
      select id, case
        when open > 0 then 'open'
        when rejected = lines then 'failed'
        when applied = lines - rejected then 'applied'
        when discarded = lines - rejected then 'discarded'
        else 'partly_applied' end as state
      from proposals where project_id = ${projectId} and id = any(${ids}::bigint[])
    ) as settled
    where proposal.project_id = ${projectId} and proposal.id = settled.id`)
}
